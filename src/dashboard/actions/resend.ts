import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { outcomeWords, type SeenOutcome } from "../../gateway/domain/explain-outcome.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { isUnresolved } from "../../gateway/account/transaction.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { signal } from "@preact/signals";
import { showNotice } from "../parts/notices.tsx";
import { account, shownClient } from "../live/store.ts";

/** How often callbacks were sent again. The page sees no event about a request that it does not keep. */
export const resends = signal(0);

/** Sends callbacks again, a single one possibly edited, and says what came of it: "Resent: nothing listening." */
export async function resendRequests(requestIds: readonly string[], edited: object = {}): Promise<void> {
  const before = await Promise.all(requestIds.map(async (id) => [id, (await attemptsOf(id)).length] as const));
  await shownClient().post("callbacks/resend", { request_ids: requestIds, ...edited });
  const made = await untilAttempted(before);
  resends.value += 1;
  const failed = made.filter(({ outcome }) => !isAcknowledged(outcome));
  showNotice(failed.length === 0 && made.length > 0 ? "done" : "problem", sumUp(requestIds.length, made, failed));
}

function sumUp(count: number, made: readonly SeenOutcome[], failed: readonly SeenOutcome[]): string {
  const [one] = made;
  if (one === undefined) return "Resent; no outcome yet.";
  if (count === 1) return `Resent: ${outcomeWords(one)}.`;
  const reasons = [...new Set(failed.map(outcomeWords))];
  const losses = failed.length === 0 ? "" : `, ${counted(failed.length, "failure")} (${reasons.join(", ")})`;
  return `Resent ${count}: ${made.length - failed.length} acknowledged${losses}.`;
}

/** From the journal, or from the control API if the page does not keep the request. */
async function attemptsOf(requestId: string): Promise<readonly SeenOutcome[]> {
  const progress = account.peek()?.reading.state?.transactions.get(requestId)?.progress;
  if (progress === undefined)
    return (await shownClient().get(`transactions/${encodeURIComponent(requestId)}`)).attempts;
  return isUnresolved(progress) ? [] : progress.attempts;
}

/** Wall-clock milliseconds between two looks at the journal. */
const LOOK_AFTER = 50;

/** Resolves to the latest attempt of each, or to those that have one once the receiver's limit is over. */
async function untilAttempted(
  before: readonly (readonly [id: string, count: number])[],
): Promise<readonly SeenOutcome[]> {
  const { timeout = 0 } = account.peek()?.reading.state?.settings.callbacks ?? {};
  const latest = performance.now() + timeout + 2 * SECOND;
  for (;;) {
    const made = (
      await Promise.all(before.map(async ([id, count]) => (await attemptsOf(id)).slice(count).slice(-1)))
    ).flat();
    if (made.length === before.length || performance.now() > latest) return made;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER));
  }
}
