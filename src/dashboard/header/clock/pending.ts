import { allDue, type Due } from "../../../gateway/engine/agenda.ts";
import type { AccountState } from "../../../gateway/account/state.ts";
import type { Attempt } from "../../../control/client/shapes.ts";
import { DAY, HOUR, type Instant, type Millis, MINUTE, parseInstant, SECOND } from "../../../gateway/domain/time.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { clockTime } from "../../base/format.ts";
import { orderTitle } from "../../base/words.ts";

/** A moment at which something is due, with what happens then. */
export interface Tick {
  readonly at: Instant;
  readonly kind: Due["task"]["kind"];
  readonly words: string;
}

/** How many moments the line can show. */
const MAX_TICKS = 200;

/** Returns the next moments at which something is due, each once. */
export function readTicks(state: AccountState): Tick[] {
  const shown: Tick[] = [];
  for (const { at, task } of allDue(state).sort((one, other) => one.at - other.at)) {
    const last = shown.at(-1);
    if (last?.at === at && last.kind === task.kind) continue;
    if (shown.length === MAX_TICKS) break;
    shown.push({ at, kind: task.kind, words: wordsOf(task, state) });
  }
  return shown;
}

function wordsOf(task: Due["task"], state: AccountState): string {
  switch (task.kind) {
    case "settle":
      return `Carrier's result: ${nameRequest(task.requestId, state)}`;
    case "reverse":
      return `Reversal: ${nameRequest(task.requestId, state)}`;
    case "attempt":
      return `Callback: ${nameRequest(task.requestId, state)}`;
    case "step":
      return `A step of the scenario ${task.scenario}`;
    case "decide-sender-id":
      return `Decision on the sender ID ${state.registrations.get(task.id)?.submitted.senderId ?? ""}`;
  }
}

/** "Airtime to +254 712 345 678", or the request_id if the order is no longer kept. */
function nameRequest(requestId: string, { transactions }: AccountState): string {
  const order = transactions.get(requestId)?.accepted.order;
  return order === undefined ? requestId : orderTitle(order);
}

/** "in 412 ms", "in 2.5 s", "in 4 min". */
export function waitWords(wait: Millis): string {
  if (wait <= 0) return "now";
  if (wait < SECOND) return `in ${Math.ceil(wait)} ms`;
  if (wait < MINUTE) return `in ${Math.round(wait / 100) / 10} s`;
  if (wait < HOUR) return `in ${Math.floor(wait / MINUTE)} min`;
  return `in ${wait < 2 * DAY ? `${Math.floor(wait / HOUR)} h` : `${Math.floor(wait / DAY)} d`}`;
}

/** Returns where on the line a moment lies, from 0 to 1. The scale is logarithmic, because a result is due in seconds and a retry in hours. */
export function placeOnLine(wait: Millis, furthest: Millis): number {
  return Math.log1p(Math.max(0, wait) / SECOND) / Math.log1p(Math.max(furthest, SECOND) / SECOND);
}

/** What an advance sent. */
export interface SentByAdvance {
  /** The time on the clock afterwards, in ISO 8601. */
  readonly now: string;
  /** The first attempts. */
  readonly fired: readonly Pick<Attempt, "acknowledged">[];
  readonly fired_total: number;
}

/** "It is 09:00:10: 3 callbacks were sent, 1 of them not acknowledged." */
export function sumUp({ now, fired, fired_total: total }: SentByAdvance): string {
  const unacknowledged = fired.filter(({ acknowledged }) => !acknowledged).length;
  const sent = total === 0 ? "no callback was" : counted(total, "callback was", "callbacks were");
  const refused =
    unacknowledged === 0
      ? ""
      : `, ${unacknowledged} of ${total === fired.length ? "them" : `the first ${fired.length}`} not acknowledged`;
  return `It is ${clockTime(parseInstant(now) ?? 0)}: ${sent} sent${refused}.`;
}
