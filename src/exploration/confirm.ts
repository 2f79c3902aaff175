import { type CellResult, unclear } from "./cell-result.ts";

/** The most runs of one cell alone. Only a machine that stays too busy needs all of them. */
const MOST_RUNS = 3;

/**
 * Runs a cell alone until its verdict is certain. A defect counts once two runs have shown it. Runs on a machine that was too busy do not
 * count.
 */
export async function confirm(first: CellResult, runAlone: (before: CellResult) => Promise<CellResult>): Promise<CellResult> {
  let result = first;
  let seen = first.defect === undefined ? 0 : 1;
  for (let run = 0; run < MOST_RUNS; run += 1) {
    result = await runAlone(result);
    if (result.isUnclear) continue;
    if (result.defect === undefined) return result;
    seen += 1;
    if (seen === 2) return result;
  }
  return unclear(result);
}
