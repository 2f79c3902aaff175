import * as z from "zod";
import type { Immutable } from "../gateway/domain/immutable.ts";

/** An answer as its schema describes it. */
export type Json<Shape extends z.ZodType> = Immutable<z.output<Shape>>;

export const moneyJson = z.number().describe("KES.");
export const momentJson = z.string().describe("ISO 8601, on the account's clock.");
export const wallMomentJson = z.string().describe("ISO 8601, wall time.");
/** With its unit: 90s. */
export const durationJson = z.string();

/** Writes a value if there is one. */
export function optional<Value, Written>(
  value: Value | undefined,
  write: (value: Value) => Written,
): Written | undefined {
  return value === undefined ? undefined : write(value);
}
