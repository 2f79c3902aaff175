import * as z from "zod";
import type { Path } from "./problem.ts";

/** Lists the keys that a schema knows at a path; for a union, those of all branches. */
export function knownKeys(schema: unknown, path: Path): string[] {
  const [step, ...rest] = path;
  const here = branches(schema);
  if (step !== undefined)
    return here.flatMap((branch) => childrenAt(branch, step)).flatMap((child) => knownKeys(child, rest));
  return here.flatMap((branch) => (branch instanceof z.ZodObject ? Object.keys(branch.shape) : []));
}

/** Says where a key is known that is unknown at a path: the place that shares most steps with the path, then the one with the fewest. */
export function placeOfKey(schema: z.ZodType, path: Path, key: string): string | undefined {
  const steps = path.map((step) => (typeof step === "number" ? ENTRY : step));
  const shared = (place: readonly string[]): number => {
    const differs = place.findIndex((step, index) => step !== steps[index]);
    return differs < 0 ? place.length : differs;
  };
  const [best] = findMappings(schema, key)
    .filter((place) => place.join() !== steps.join())
    .toSorted((left, right) => shared(right) - shared(left) || left.length - right.length);
  if (best === undefined) return undefined;
  return best.length === 0
    ? "write it at the top level of the file"
    : `write it in ${best.join(".").replaceAll(`.${ENTRY}`, ENTRY)}`;
}

/** Stands for any entry of a list in a path. */
const ENTRY = "[]";

/** Returns the paths of all mappings that know a key. A schema is searched once, because a document may have many unknown keys. */
function findMappings(schema: object, key: string): string[][] {
  const known = MAPPINGS.get(schema) ?? listMappings(schema, []);
  MAPPINGS.set(schema, known);
  return known.filter(({ keys }) => Object.hasOwn(keys, key)).map(({ path }) => [...path]);
}

interface Mapping {
  readonly path: readonly string[];
  readonly keys: object;
}

const MAPPINGS = new WeakMap<object, readonly Mapping[]>();

/** No file of ours nests deeper. */
const DEEPEST = 6;

function listMappings(schema: unknown, path: readonly string[]): Mapping[] {
  if (path.length > DEEPEST) return [];
  return branches(schema).flatMap((branch) => {
    if (branch instanceof z.ZodArray) return listMappings(branch.element, [...path, ENTRY]);
    if (!(branch instanceof z.ZodObject)) return [];
    const below = Object.entries(branch.shape).flatMap(([step, child]) => listMappings(child, [...path, step]));
    return [{ path, keys: branch.shape }, ...below];
  });
}

function childrenAt(schema: unknown, step: string | number): unknown[] {
  if (schema instanceof z.ZodObject) return [schema.shape[step]];
  if (schema instanceof z.ZodArray) return [schema.element];
  return schema instanceof z.ZodRecord ? [schema.valueType] : [];
}

/** Unwraps a schema, and a union into its branches. */
function branches(schema: unknown): unknown[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
    return branches(schema.unwrap());
  if (schema instanceof z.ZodPipe) return branches(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(branches) : [schema];
}
