import type { Accepted, RequestRefused } from "../../gateway/account/events.ts";
import type { Order } from "../../gateway/domain/order.ts";
import { measureSms } from "../../gateway/domain/sms-parts.ts";
import { type Detector, NOTHING, type Observation, type Watch } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { RefusalRuns } from "./refusal-runs.ts";

/** Reports orders that continue although the wallet cannot cover them until somebody tops it up. */
export const sentAfter402: Detector = {
  id: "sent-after-402",
  severity: "risk",
  title: "Orders continued after 402 without a balance check",
  why: "A 402 means that the wallet cannot cover this order. Until somebody tops it up, every order of that size is refused as well, and each customer waits in vain.",
  repair:
    "At the first 402, put orders on hold and alert whoever tops up the wallet. Request account-details from time to time, and continue when available_balance covers the next order.",
  assumes:
    "Orders within a second of the first 402 were under way already, and up to three after it may be chance. A smaller order may fit and is not counted, nor is anything after a balance query, a top-up, or a failed order whose money was released.",
  kinds: ["accepted", "queried", "refused", "settled", "topped-up", "wallet-set"],
  watch: () => {
    const airtime = new UnaffordableOrders();
    const sms = new UnaffordableOrders();
    return watchBoth({ airtime, sms });
  },
};

type Unaffordable = Readonly<Record<Order["operation"], UnaffordableOrders>>;

function watchBoth(unaffordable: Unaffordable): Watch {
  return (event) => {
    switch (event.kind) {
      case "accepted":
        unaffordable[event.order.operation].seeAccepted(event);
        return NOTHING;
      case "refused":
        return event.code === 402 && event.order !== undefined
          ? unaffordable[event.order.operation].seeRefused(event, event.order)
          : NOTHING;
      case "settled":
        if (event.outcome === "failed") endBoth(unaffordable);
        return NOTHING;
      case "queried":
      case "topped-up":
      case "wallet-set":
        endBoth(unaffordable);
        return NOTHING;
      default:
        return NOTHING;
    }
  };
}

function endBoth({ airtime, sms }: Unaffordable): void {
  airtime.end();
  sms.end();
}

/** Orders of one operation that cost at least as much as the one that was refused. */
class UnaffordableOrders {
  readonly #runs = new RefusalRuns();
  /** The size of the smallest refused order; infinite if none was refused. */
  #tooLarge = Infinity;

  seeAccepted({ order }: Accepted): void {
    if (this.#tooLarge < Infinity && sizeOf(order) >= this.#tooLarge) this.end();
  }

  seeRefused(event: RequestRefused, order: Order): readonly Observation[] {
    const size = sizeOf(order);
    if (size < this.#tooLarge || this.#runs.isOver(event)) {
      this.end();
      this.#tooLarge = size;
    }
    const run = this.#runs.add(event);
    if (run === undefined) return NOTHING;
    const seen = `${run.requests} orders (${order.operation}), none smaller than the first, were refused with 402 in ${describeDuration(run.lasted)}, and nobody checked the balance.`;
    return [{ subject: order.operation, seen, exchanges: run.exchanges }];
  }

  end(): void {
    this.#runs.end();
    this.#tooLarge = Infinity;
  }
}

/** Returns what determines the price: the amount, or the number of parts. */
function sizeOf(order: Order): number {
  return order.operation === "airtime" ? order.amount : measureSms(order.message, 70).parts;
}
