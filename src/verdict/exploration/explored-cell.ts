import { writeYaml } from "../../gateway/document/write-yaml.ts";
import { formatDuration } from "../../gateway/domain/time.ts";
import type { ApplicationOrder } from "../application/application.ts";
import { headline } from "../report/problems.ts";
import type { TrialReport } from "../report/report.ts";
import { BETWEEN_ORDERS, type Cell, describeFaults, describePoint, isBetweenOrders, scenarioOf } from "./cell.ts";
import { type CellResult, notAssessed } from "./cell-result.ts";

export function exploredCell(result: CellResult): TrialReport {
  const { cell, order, timeline, defect, isPlayed, durationMillis } = result;
  const isUnplayed = defect === undefined && !isPlayed;
  const { verdict, verdicts } = isUnplayed
    ? notAssessed(result, "the fault did not happen, because no request got that far")
    : result;
  return {
    ...plannedCell(cell),
    verdict,
    verdicts,
    phone_number: order.placed.phoneNumber,
    exchanges: timeline,
    duration_ms: Math.round(durationMillis),
  };
}

export function plannedCell(cell: Cell): Pick<TrialReport, "id" | "operation" | "faults" | "places"> {
  const { id, operation, faults, special } = cell;
  const first = describePoint({ operation, isDetails: false, nth: 1 });
  const places = special
    ? [{ point: first, fault: special.id }]
    : faults.map(({ point, fault }) => ({ point: describePoint(point), fault: fault.id }));
  return { id, operation, faults: describeFaults(cell), places };
}

/** A rehearsal file that replays a trial. */
export interface Replay {
  readonly file: string;
  readonly text: string;
  readonly trial: string;
}

const LONGEST_NAME = 64;

/** Writes the rehearsal that replays a trial with its defect: the same orders, the same faults, the same seed. */
export function replayOf(result: CellResult, seed: number): Replay | undefined {
  const { cell, together, defect } = result;
  // Nothing but an exploration restarts an application or places one order twice.
  if (defect === undefined || (cell.special !== undefined && together === undefined)) return undefined;
  const name = cell.id.slice(0, LONGEST_NAME);
  const scenario = together?.scenario ?? scenarioOf([{ cell }]);
  // The faults name a request of the order, not its number, so each replay uses a new one, which no application remembers.
  const order = { operation: cell.operation, amount: result.order.placed.amount };
  const orders: readonly Partial<ApplicationOrder>[] =
    together?.orders ?? (isBetweenOrders(cell) ? [order, order] : [order]);
  const steps: object[] = orders.map(({ operation, phoneNumber, amount }) => ({
    order: { operation, phone_number: phoneNumber, amount: operation === "sms" ? undefined : amount },
  }));
  // What happens between two orders happens halfway.
  if ("timeline" in scenario) steps.splice(orders.length / 2, 0, { advance: formatDuration(BETWEEN_ORDERS) });
  const description = `${headline(exploredCell(result), defect)} Seen: ${defect.seen}.`;
  const document = { version: 1, name, description, seed, scenario, steps };
  return {
    trial: cell.id,
    file: `${name}.yaml`,
    text: `# Found by kredo explore; replay it with kredo rehearse.\n${writeYaml(document)}`,
  };
}
