import type { SmsOrder } from "../../domain/order.ts";
import type { Instant } from "../../domain/time.ts";
import type { Accepted, Settled } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import { isUnresolved } from "../transaction.ts";
import { hasArrived } from "./request.ts";

/** An SMS as the handset received it. */
export interface DeliveredMessage {
  /** The number of the event that delivered it. */
  readonly number: number;
  readonly accepted: Accepted;
  readonly order: SmsOrder;
  readonly deliveredAt: Instant;
  /** The parts that arrived, if some were lost. */
  readonly deliveredParts?: readonly number[];
}

/** Collects the delivered messages of a journal, in order of delivery. */
export class Inbox {
  readonly messages: DeliveredMessage[] = [];
  readonly #sent = new Map<string, Accepted>();

  take(number: number, event: AccountEvent): void {
    switch (event.kind) {
      case "opened":
        return this.#begin([]);
      case "snapshot":
        return this.#begin(
          event.state.transactions.flatMap(({ accepted, progress }) => (isUnresolved(progress) ? [accepted] : [])),
        );
      case "accepted":
        if (event.order.operation === "sms") this.#sent.set(event.requestId, event);
        return;
      case "settled":
        return this.#settle(number, event);
      default:
        return;
    }
  }

  #begin(queued: readonly Accepted[]): void {
    this.messages.length = 0;
    this.#sent.clear();
    for (const accepted of queued) this.#sent.set(accepted.requestId, accepted);
  }

  #settle(number: number, settled: Settled): void {
    const { requestId, at, delivered } = settled;
    const accepted = this.#sent.get(requestId);
    this.#sent.delete(requestId);
    if (accepted?.order.operation !== "sms") return;
    if (!hasArrived(settled)) return;
    this.messages.push({
      number,
      accepted,
      order: accepted.order,
      deliveredAt: at,
      deliveredParts: delivered,
    });
  }
}
