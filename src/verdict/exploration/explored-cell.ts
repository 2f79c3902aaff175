import { type Cell, describeFaults, describePoint, isBetweenOrders, scenarioOf } from "./cell.ts";
import type { CellResult } from "./cell-result.ts";
import type { ExploredCell } from "./exploration.ts";
import { driveOf } from "./replay.ts";
import type { CellRun } from "./run-cells.ts";

export function exploredCell(result: ExploredResult): ExploredCell {
  const { cell, order, timeline, defect, together } = result;
  return {
    id: cell.id,
    operation: cell.operation,
    faults: describeFaults(cell),
    places: cell.faults.map(({ point, fault }) => ({ point: describePoint(point), fault: fault.id })),
    ...verdictOn(result),
    ...(defect && { kind: defect.kind }),
    follows: defect?.follows ?? [],
    phoneNumber: order.placed.phoneNumber,
    timeline,
    ...(together === undefined ? replayAlone(cell) : replayTogether(together)),
  };
}

function verdictOn({ verdict, defect, remark, isPlayed }: CellResult): Pick<ExploredCell, "verdict" | "seen"> {
  if (defect !== undefined) return { verdict: "defect", seen: defect.seen };
  if (!isPlayed) return { verdict: "not assessed", seen: "the fault did not happen: no request got that far" };
  return { verdict: plainVerdict(verdict), ...(remark !== undefined && { seen: remark }) };
}

/** A result with the run that shows it, if the defect only appears together with other orders. */
export interface ExploredResult extends CellResult {
  readonly together?: CellRun;
}

function replayAlone(cell: Cell): Pick<ExploredCell, "scenario" | "drive"> {
  const scenario = scenarioOf([{ cell }]);
  return { scenario, drive: driveOf(scenario, isBetweenOrders(cell) ? [cell, cell] : [cell]) };
}

function replayTogether({ scenario, orders }: CellRun): Pick<ExploredCell, "scenario" | "drive"> {
  return { scenario, drive: driveOf(scenario, orders) };
}

function plainVerdict(verdict: CellResult["verdict"]): ExploredCell["verdict"] {
  return verdict === "right" || verdict === "needs a person" || verdict === "not assessed" ? verdict : "defect";
}

/** Returns a defect that only appears with several orders at once. */
export function jointDefect(together: CellRun, index: number): ExploredResult | undefined {
  const { results, imbalance } = together;
  const result = results[index];
  if (result?.defect !== undefined) return { ...result, together };
  if (result === undefined || imbalance === undefined || index > 0) return undefined;
  return { ...result, together, verdict: "defect", defect: imbalance };
}
