import type { AccountEvent } from "../account-event.ts";
import { addResend, begin, isUnresolved, recordAttempt, reverse, settle, type Transaction } from "../transaction.ts";
import { RecentMap } from "./recent-map.ts";

/** The latest transactions of a journal, folded as it grows, in bounded space. */
export class RecentTransactions {
  readonly #limit: number | undefined;
  #byId: RecentMap<string, Transaction>;

  constructor(limit?: number) {
    this.#limit = limit;
    this.#byId = new RecentMap(limit);
  }

  get(requestId: string): Transaction | undefined {
    return this.#byId.get(requestId);
  }

  /** Nothing is carried out here, so the numbers of the events do not matter. */
  take(event: AccountEvent): void {
    switch (event.kind) {
      case "opened":
      case "snapshot":
        this.#byId = new RecentMap(this.#limit);
        if (event.kind === "snapshot")
          for (const one of event.state.transactions) this.#byId.set(one.accepted.requestId, { ...one });
        return;
      case "accepted":
        this.#byId.set(event.requestId, begin(event, 0));
        return;
      case "client-left":
      case "settled":
      case "reversed":
      case "resend-requested":
      case "attempted": {
        const transaction = this.#byId.get(event.requestId);
        if (transaction !== undefined) note(transaction, event);
        return;
      }
      default:
        return;
    }
  }
}

type Later = Extract<AccountEvent, { kind: "client-left" | "settled" | "reversed" | "resend-requested" | "attempted" }>;

function note(transaction: Transaction, event: Later): void {
  const { progress } = transaction;
  if (event.kind === "client-left") transaction.left = event;
  else if (event.kind === "settled") transaction.progress = settle(event, 0);
  else if (isUnresolved(progress)) return;
  else if (event.kind === "reversed") transaction.progress = reverse(progress, event);
  else if (event.kind === "resend-requested") transaction.progress = addResend(progress, event, 0);
  else transaction.progress = recordAttempt(progress, event, 0);
}
