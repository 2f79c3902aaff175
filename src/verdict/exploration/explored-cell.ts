import { formatDuration } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { ApplicationOrder } from "../application/application.ts";
import type { TrialReport, WrittenStep } from "../report/report.ts";
import { BETWEEN_ORDERS, type Cell, describeFaults, describePoint, isBetweenOrders, scenarioOf } from "./cell.ts";
import { type CellResult, notAssessed, withDefect } from "./cell-result.ts";
import type { CellRun } from "./run-cells.ts";

/** A result with the run that shows it, if the defect only appears together with other orders. */
export interface ExploredResult extends CellResult {
  readonly together?: CellRun;
}

/** Reports what became of a cell. */
export function exploredCell(result: ExploredResult): TrialReport {
  const { cell, order, timeline, defect, isPlayed, durationMillis, together } = result;
  const isUnplayed = defect === undefined && !isPlayed;
  const { verdict, verdicts } = isUnplayed
    ? notAssessed(result, "the fault did not happen, because no request got that far")
    : result;
  const point = { operation: cell.operation, isDetails: false, nth: 1 };
  const special = cell.special && [{ point: describePoint(point), fault: cell.special.id }];
  return {
    id: cell.id,
    operation: cell.operation,
    faults: describeFaults(cell),
    places: special ?? cell.faults.map((one) => ({ point: describePoint(one.point), fault: one.fault.id })),
    verdict,
    verdicts,
    phoneNumber: order.placed.phoneNumber,
    timeline,
    durationMillis,
    replay: replayOf(cell, together),
  };
}

function replayOf(cell: Cell, together: CellRun | undefined): TrialReport["replay"] {
  if (together !== undefined) {
    const { scenario, orders } = together;
    return { scenario, steps: stepsFor(scenario, orders) };
  }
  // Nothing but an exploration restarts an application or places one order twice.
  if (cell.special !== undefined) return undefined;
  const scenario = scenarioOf([{ cell }]);
  const orders = isBetweenOrders(cell) ? [cell, cell] : [cell];
  return { scenario, steps: stepsFor(scenario, orders) };
}

/** Without a phone number, each replay uses another one. */
type OrderToReplay = Pick<ApplicationOrder, "operation"> & Partial<Pick<ApplicationOrder, "phoneNumber" | "amount">>;

/** Returns the steps that place these orders. Events between two orders happen halfway. */
function stepsFor(scenario: Scenario, orders: readonly OrderToReplay[]): WrittenStep[] {
  const steps = orders.map(({ operation, phoneNumber, amount }) => ({
    order: {
      operation,
      ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
      ...(amount !== undefined && { amount }),
    },
  }));
  if (!("timeline" in scenario)) return steps;
  const half = steps.length / 2;
  return [...steps.slice(0, half), { advance: formatDuration(BETWEEN_ORDERS) }, ...steps.slice(half)];
}

/** Returns a defect that only appears with several orders at once. */
export function jointDefect(together: CellRun, index: number): ExploredResult | undefined {
  const { results, imbalance } = together;
  const result = results[index];
  if (result?.defect !== undefined) return { ...result, together };
  if (result === undefined || imbalance === undefined || index > 0) return undefined;
  return { ...withDefect(result, imbalance), together };
}
