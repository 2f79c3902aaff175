import * as z from "zod";
import type { Path } from "./problem.ts";

/** The keys that a schema knows at a path; where it allows several shapes, those of all of them. */
export function knownKeys(schema: unknown, path: Path): string[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
    return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return knownKeys(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => knownKeys(option, path));
  return keysBelow(schema, path);
}

function keysBelow(schema: unknown, [step, ...rest]: Path): string[] {
  if (schema instanceof z.ZodObject) return step === undefined ? Object.keys(schema.shape) : knownKeys(schema.shape[step], rest);
  if (step === undefined) return [];
  if (schema instanceof z.ZodArray) return knownKeys(schema.element, rest);
  return schema instanceof z.ZodRecord ? knownKeys(schema.valueType, rest) : [];
}
