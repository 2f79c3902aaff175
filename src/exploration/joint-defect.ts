import type { CellResult, CellRun } from "./run-cells.ts";

/** What only goes wrong with several orders at once. */
export function jointDefect({ results, imbalance }: CellRun, index: number): CellResult | undefined {
  const result = results[index];
  if (result?.defect !== undefined) return result;
  if (result === undefined || imbalance === undefined || index > 0) return undefined;
  return { ...result, verdict: "defect", defect: { kind: "debited wrongly", seen: imbalance, exchanges: [], follows: [] } };
}
