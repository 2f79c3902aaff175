import type { AccountEvent } from "../account-event.ts";
import type { ClientLeft } from "../events.ts";
import { addResend, begin, isUnresolved, recordAttempt, reverse, settle, type Transaction } from "../transaction.ts";
import { RecentMap } from "./recent-map.ts";

/** What came after requests, folded from a journal as it grows; with a limit, after at most so many, in bounded space. */
export class Aftermaths {
  readonly #limit: number;
  #transactions: RecentMap<string, Transaction>;
  /** A client can leave before a refusal, too. */
  #left: RecentMap<string, ClientLeft>;

  constructor(limit = Infinity) {
    this.#limit = limit;
    this.#transactions = new RecentMap(limit);
    this.#left = new RecentMap(limit);
  }

  of(requestId: string): Partial<Transaction> {
    return this.transactionOf(requestId) ?? { left: this.#left.get(requestId) };
  }

  /** Returns the transaction of a request that was accepted. */
  transactionOf(requestId: string): Transaction | undefined {
    return this.#transactions.get(requestId);
  }

  take(event: AccountEvent): void {
    if (event.kind === "opened" || event.kind === "snapshot") {
      this.#transactions = new RecentMap(this.#limit);
      this.#left = new RecentMap(this.#limit);
    }
    if (event.kind === "snapshot")
      for (const one of event.state.transactions) this.#transactions.set(one.accepted.requestId, { ...one });
    else if (event.kind === "accepted") this.#transactions.set(event.requestId, begin(event, 0));
    else if ("requestId" in event) this.#note(event);
  }

  #note(event: Extract<AccountEvent, { requestId: string }>): void {
    const transaction = this.#transactions.get(event.requestId);
    if (transaction !== undefined) {
      if (event.kind === "client-left") transaction.left = event;
      else transaction.progress = progressAfter(transaction.progress, event);
    } else if (event.kind === "client-left") this.#left.set(event.requestId, event);
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
