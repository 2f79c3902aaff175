import { stringify } from "yaml";
import type { WrittenScenario } from "../scenario/faults.ts";
import type { FoundDefect } from "./exploration.ts";

/** A rehearsal file that plays one cell again. */
export interface Replay {
  /** Without a folder. */
  readonly file: string;
  readonly text: string;
}

/** A rehearsal's name has at most this many characters. */
const LONGEST_NAME = 64;

/** The rehearsal that plays the first cell of a defect: the same orders, the same faults, the same seed. */
export function replayOf({ sentence, cells }: FoundDefect, { seed, wallet }: { seed: number; wallet: string }): Replay | undefined {
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
    drive: [...beginning(cell.scenario), ...cell.orders.map((order) => ({ order })), { advance: "all" }],
    expect: [],
  };
  return {
    file: `${name}.yaml`,
    text: `# Found by kredo explore; kredo rehearse plays it again.\n${stringify(document, { lineWidth: 0 })}`,
  };
}

/** What a scenario's timeline does at its beginning has happened before the first order. */
function beginning(scenario: WrittenScenario): unknown[] {
  return "timeline" in scenario ? [{ advance: "1s" }] : [];
}
