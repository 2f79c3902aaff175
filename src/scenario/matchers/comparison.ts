import type { Comparison } from "../../domain/scenario.ts";

/** Makes one test of all bounds. */
export function compileComparison({
  eq,
  gt = -Infinity,
  gte = -Infinity,
  lt = Infinity,
  lte = Infinity,
}: Comparison): (number: number) => boolean {
  return (number) => (eq === undefined || number === eq) && number > gt && number >= gte && number < lt && number <= lte;
}

/** Amounts and parts are whole, so that more than 5 is 6 or more. */
export function rangeOf({ eq, gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity }: Comparison): { from: number; to: number } {
  return { from: Math.max(eq ?? -Infinity, gt + 1, gte), to: Math.min(eq ?? Infinity, lt - 1, lte) };
}
