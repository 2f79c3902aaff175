import type { Accepted, RequestRefused } from "../../account/events.ts";
import type { Order } from "../../domain/order.ts";
import { measureSms } from "../../domain/sms-parts.ts";
import { type Detector, NOTHING, type Sighting, type Watch } from "../detector.ts";
import { timeInWords } from "../in-words.ts";
import { RefusedRuns } from "../refused-run.ts";

/** An empty wallet stays empty until somebody fills it: sending what costs as much changes nothing. */
export const sentAfter402: Detector = {
  id: "sent-after-402",
  severity: "risk",
  title: "Orders went on after 402, without a look at the balance",
  why: "A 402 means that the wallet cannot pay for this order; until money comes in, every order of that size is refused as well, and each customer waits for nothing.",
  mend: "At the first 402 put orders on hold and alert whoever fills the wallet; ask account-details from time to time, and go on when available_balance covers the next order.",
  assumes:
    "Orders within a second of the first 402 were under way already, and up to three after it may be chance. A smaller order may fit and is not counted, nor is anything after a balance query, a top-up, or an order that failed and gave its money back.",
  kinds: ["accepted", "queried", "refused", "settled", "topped-up", "wallet-set"],
  watch: () => {
    const airtime = new HopelessOrders();
    const sms = new HopelessOrders();
    return watchBoth({ airtime, sms });
  },
};

type Hopeless = Readonly<Record<Order["operation"], HopelessOrders>>;

function watchBoth(hopeless: Hopeless): Watch {
  return (event) => {
    switch (event.kind) {
      case "accepted":
        hopeless[event.order.operation].seeAccepted(event);
        return NOTHING;
      case "refused":
        return event.code === 402 && event.order !== undefined ? hopeless[event.order.operation].seeRefused(event, event.order) : NOTHING;
      case "settled":
        if (event.outcome === "failed") endBoth(hopeless);
        return NOTHING;
      case "queried":
      case "topped-up":
      case "wallet-set":
        endBoth(hopeless);
        return NOTHING;
      default:
        return NOTHING;
    }
  };
}

function endBoth({ airtime, sms }: Hopeless): void {
  airtime.end();
  sms.end();
}

/** Orders of one operation that cost at least what the wallet could not pay. */
class HopelessOrders {
  readonly #runs = new RefusedRuns();
  /** The size of the smallest order that was refused; nothing is too large as long as none was. */
  #tooLarge = Infinity;

  seeAccepted({ order }: Accepted): void {
    if (this.#tooLarge < Infinity && sizeOf(order) >= this.#tooLarge) this.end();
  }

  seeRefused(event: RequestRefused, order: Order): readonly Sighting[] {
    const size = sizeOf(order);
    if (size < this.#tooLarge || this.#runs.isOver(event)) {
      this.end();
      this.#tooLarge = size;
    }
    const run = this.#runs.add(event);
    if (run === undefined) return NOTHING;
    const seen = `${run.requests} orders (${order.operation}), none smaller than the first, were refused with 402 in ${timeInWords(run.lasted)}, and nobody asked for the balance.`;
    return [{ subject: order.operation, seen, exchanges: run.exchanges }];
  }

  end(): void {
    this.#runs.end();
    this.#tooLarge = Infinity;
  }
}

/** What the price grows with: the amount, or the parts. */
function sizeOf(order: Order): number {
  return order.operation === "airtime" ? order.amount : measureSms(order.message, 70).parts;
}
