import type { AccountEvent } from "../account-event.ts";
import { addResend, begin, isUnresolved, recordAttempt, reverse, settle, type Transaction } from "../transaction.ts";

/** What came after requests, folded from a journal event by event: of those accepted, their transactions. A client can leave before a refusal, too. */
export class Aftermaths {
  readonly #byRequest = new Map<string, Partial<Transaction>>();

  see(event: AccountEvent): void {
    if (event.kind === "opened" || event.kind === "snapshot") this.#byRequest.clear();
    if (event.kind === "snapshot")
      for (const transaction of event.state.transactions)
        this.#byRequest.set(transaction.accepted.requestId, { ...transaction });
    if (event.kind === "accepted") this.#byRequest.set(event.requestId, begin(event, 0));
    if (event.kind === "client-left")
      this.#byRequest.set(event.requestId, { ...this.of(event.requestId), left: event });
    const after = "requestId" in event ? this.#byRequest.get(event.requestId) : undefined;
    if (after?.progress !== undefined) after.progress = progressAfter(after.progress, event);
  }

  of(requestId: string): Partial<Transaction> | undefined {
    return this.#byRequest.get(requestId);
  }
}

/** Nothing is carried out here, so the numbers of the events do not matter. */
function progressAfter(progress: Transaction["progress"], event: AccountEvent): Transaction["progress"] {
  if (event.kind === "settled") return settle(event, 0);
  if (isUnresolved(progress)) return progress;
  if (event.kind === "reversed") return reverse(progress, event);
  if (event.kind === "resend-requested") return addResend(progress, event, 0);
  return event.kind === "attempted" ? recordAttempt(progress, event, 0) : progress;
}
