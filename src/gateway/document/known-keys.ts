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
