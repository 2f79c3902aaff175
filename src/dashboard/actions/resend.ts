import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { outcomeWords } from "../../gateway/domain/explain-outcome.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import type { Attempted } from "../../gateway/account/events.ts";
import { isUnresolved } from "../../gateway/account/transaction.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { showNotice } from "../parts/notices.tsx";
import { account, shownClient } from "../live/store.ts";

/** Sends callbacks again, a single one possibly edited, and says what came of it: "Resent: nothing listening." */
export async function resendRequests(requestIds: readonly string[], edited: object = {}): Promise<void> {
  const before = new Map(requestIds.map((id) => [id, attemptsOf(id).length]));
  await shownClient().post("callbacks/resend", { request_ids: requestIds, ...edited });
  const made = await untilAttempted(before);
  const failed = made.filter(({ outcome }) => !isAcknowledged(outcome));
  showNotice(failed.length === 0 && made.length > 0 ? "done" : "problem", sumUp(requestIds.length, made, failed));
}

function sumUp(count: number, made: readonly Attempted[], failed: readonly Attempted[]): string {
  const [one] = made;
  if (one === undefined) return "Resent; no outcome yet.";
  if (count === 1) return `Resent: ${outcomeWords(one)}.`;
  const reasons = [...new Set(failed.map(outcomeWords))];
  const losses = failed.length === 0 ? "" : `, ${counted(failed.length, "failure")} (${reasons.join(", ")})`;
  return `Resent ${count}: ${made.length - failed.length} acknowledged${losses}.`;
}

function attemptsOf(requestId: string): readonly Attempted[] {
  const progress = account.peek()?.reading.state?.transactions.get(requestId)?.progress;
  return progress === undefined || isUnresolved(progress) ? [] : progress.attempts;
}

/** Wall-clock milliseconds between two looks at the journal. */
const LOOK_AFTER = 50;

/** Resolves to the latest attempt of each, or to those that have one once the receiver's limit is over. */
async function untilAttempted(before: ReadonlyMap<string, number>): Promise<readonly Attempted[]> {
  const { timeout = 0 } = account.peek()?.reading.state?.settings.callbacks ?? {};
  const latest = performance.now() + timeout + 2 * SECOND;
  for (;;) {
    const made = [...before].flatMap(([id, count]) => attemptsOf(id).slice(count).slice(-1));
    if (made.length === before.size || performance.now() > latest) return made;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER));
  }
}
