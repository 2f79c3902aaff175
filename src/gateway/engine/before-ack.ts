import { settleTransaction } from "../account/decide/settle.ts";
import type { Accepted } from "../account/events.ts";
import { isUnresolved, type Transaction } from "../account/transaction.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { LiveJournal } from "./live-journal.ts";
import type { Timekeeper } from "./timekeeper.ts";
import { until } from "./until.ts";

/** The receiver's time limit for an answer (document 6). */
const RECEIVER_MILLIS: Millis = 3 * SECOND;

/** Settles a transaction at once, and waits until its receiver has answered or 3 s of wall time have passed; not after a reset. */
export async function deliverBeforeAck(
  accepted: Accepted,
  journal: LiveJournal,
  timekeeper: Timekeeper,
  wall: WallClock,
): Promise<void> {
  const { requestId } = accepted;
  const find = (): Transaction | undefined => {
    const found = journal.state.transactions.get(requestId);
    return found?.accepted === accepted ? found : undefined;
  };
  if (find() === undefined) return;
  journal.append((state, at) => [settleTransaction(state, requestId, at)]);
  timekeeper.sendDue(requestId, true);
  await until(journal, () => !isCallbackDue(find(), journal.now()), wall, RECEIVER_MILLIS);
}

/** Returns whether a callback of a transaction is due that was never tried. */
export function isCallbackDue(transaction: Transaction | undefined, now: Instant): boolean {
  if (transaction === undefined || isUnresolved(transaction.progress)) return false;
  return transaction.progress.deliveries.some(({ tries, next }) => tries === 0 && next !== "none" && next.dueAt <= now);
}
