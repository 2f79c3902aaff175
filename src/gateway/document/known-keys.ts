import * as z from "zod";
import type { Path } from "./problem.ts";

/** Lists the keys that a schema knows at a path; for a union, those of all branches. */
export function knownKeys(schema: unknown, path: Path): string[] {
  const [step, ...rest] = path;
  const inside = branches(schema).flatMap((branch) => (step === undefined ? [] : childrenAt(branch, step)));
  if (step !== undefined) return inside.flatMap((child) => knownKeys(child, rest));
  return branches(schema).flatMap((branch) => (branch instanceof z.ZodObject ? Object.keys(branch.shape) : []));
}

/** Says where a key is known that is unknown at a path: the place that shares most steps with the path, then the one with the fewest. */
export function placeOfKey(schema: unknown, path: Path, key: string): string | undefined {
  const steps = path.map((step) => (typeof step === "number" ? ENTRY : step));
  const shared = (place: readonly string[]): number => {
    const differs = place.findIndex((step, index) => step !== steps[index]);
    return differs < 0 ? place.length : differs;
  };
  const [best] = findMappings(schema, key, [])
    .filter((place) => place.join() !== steps.join())
    .toSorted((left, right) => shared(right) - shared(left) || left.length - right.length);
  if (best === undefined) return undefined;
  return best.length === 0
    ? "write it at the top level of the file"
    : `write it in ${best.join(".").replaceAll(`.${ENTRY}`, ENTRY)}`;
}

/** Stands for any entry of a list in a path. */
const ENTRY = "[]";

/** No file of ours nests deeper. */
const DEEPEST = 6;

/** Returns the paths of all mappings that know a key. */
function findMappings(schema: unknown, key: string, path: readonly string[]): string[][] {
  if (path.length > DEEPEST) return [];
  return branches(schema).flatMap((branch) => {
    if (branch instanceof z.ZodArray) return findMappings(branch.element, key, [...path, ENTRY]);
    if (!(branch instanceof z.ZodObject)) return [];
    const here = Object.hasOwn(branch.shape, key) ? [[...path]] : [];
    const below = Object.entries(branch.shape).flatMap(([step, child]) => findMappings(child, key, [...path, step]));
    return [...here, ...below];
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
