import { stringify } from "yaml";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { ApplicationOrder } from "../application/application.ts";
import { formatDuration } from "../../gateway/domain/time.ts";
import { BETWEEN_ORDERS } from "./cell.ts";
import type { FoundDefect, WrittenStep } from "./exploration.ts";
import { AMOUNT } from "./run-cells.ts";

/** A rehearsal file that replays one cell. */
export interface Replay {
  /** The file name without a folder. */
  readonly file: string;
  readonly text: string;
}

/** The most characters in a rehearsal's name. */
const LONGEST_NAME = 64;

/** Writes the rehearsal that replays the first cell of a defect: the same orders, the same faults, the same seed. */
export function replayOf(
  { sentence, cells }: FoundDefect,
  { seed, wallet }: { seed: number; wallet: string },
): Replay | undefined {
  const [cell] = cells;
  if (cell === undefined) return undefined;
  const name = cell.id.slice(0, LONGEST_NAME);
  const document = {
    version: 1,
    name,
    description: `${sentence} Seen: ${cell.seen ?? ""}.`,
    clock: "manual",
    seed,
    account: { wallet: { balance: wallet } },
    scenario: cell.scenario,
    drive: [...cell.drive, { advance: "all" }],
    expect: [],
  };
  return {
    file: `${name}.yaml`,
    text: `# Found by kredo explore; replay it with kredo rehearse.\n${stringify(document, { lineWidth: 0 })}`,
  };
}

/** Without a phone number, each replay uses another one. */
type OrderToDrive = Pick<ApplicationOrder, "operation"> & { readonly phoneNumber?: string };

/** Returns the steps that place these orders. Events between two orders happen halfway. */
export function driveOf(scenario: Scenario, orders: readonly OrderToDrive[]): WrittenStep[] {
  const steps = orders.map(({ operation, phoneNumber }) => ({
    order: { operation, amount: AMOUNT, ...(phoneNumber !== undefined && { phone_number: phoneNumber }) },
  }));
  if (!("timeline" in scenario)) return steps;
  const half = steps.length / 2;
  return [...steps.slice(0, half), { advance: formatDuration(BETWEEN_ORDERS) }, ...steps.slice(half)];
}
