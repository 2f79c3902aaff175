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
