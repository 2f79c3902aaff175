import type {
  Accepted,
  Attempted,
  ClientLeft,
  ConnectionCut,
  DetailsQueried,
  RequestRefused,
  Settled,
} from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { type Instant, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "./sent-at.ts";
import {
  uncertaintyAfterDisconnect,
  type UncertaintyWindow,
  uncertaintyWindowOf,
  wasAnsweredAsRefused,
} from "./uncertainty-window.ts";

/** An order sent again although an identical earlier one went through, or may have. */
export interface Repeat {
  readonly earlier: SentOrder;
  readonly again: Accepted | ConnectionCut | RequestRefused;
  readonly apart: Millis;
  /** Why the client could not know the outcome of the earlier order; undefined if it could. */
  readonly uncertainty?: UncertaintyWindow;
  /** Whether the client read account-details after sending the earlier order: the balance shows whether that was accepted. */
  readonly isBalanceChecked: boolean;
}

/** The latest order with its content that may cost money. */
export interface SentOrder {
  readonly requestId: string;
  readonly sentAt: Instant;
  readonly wasAccepted: boolean;
  readonly uncertainty: UncertaintyWindow | undefined;
  readonly outcome: "unresolved" | "succeeded";
  /** Whether the receiver acknowledged the callback with the result. */
  readonly isReported: boolean;
}

/**
 * An identical order counts as a repeat for this long, or while the earlier transaction is unresolved and the client cannot know its
 * outcome.
 */
const SAME_INTENTION: Millis = 10 * MINUTE;

/** How much earlier a request on a new connection may arrive than the end of the old connection is noticed. */
const OVERTAKING: Millis = 100;

/** Remembers accepted orders by content and detects repeats. Several detectors may ask about the same event. */
export class SentOrders {
  readonly #byContent = new RecentMap<number, TrackedOrder>();
  readonly #byId = new RecentMap<string, TrackedOrder>();

  #detailsReadAt: Instant = Number.NEGATIVE_INFINITY;
  #latest: AccountEvent | undefined;
  #repeat: Repeat | undefined;

  see(event: AccountEvent): Repeat | undefined {
    if (event !== this.#latest) {
      this.#repeat = this.#take(event);
      this.#latest = event;
    }
    return this.#repeat;
  }

  #take(event: AccountEvent): Repeat | undefined {
    switch (event.kind) {
      case "accepted":
      case "cut":
        return this.#seeSent(event);
      case "refused":
        return this.#repeatOf(event);
      case "client-left":
        return this.#seeClientLeft(event);
      case "settled":
        return this.#seeSettled(event);
      case "attempted":
        return this.#seeAttempted(event);
      case "queried":
        return this.#seeQueried(event);
      default:
        return undefined;
    }
  }

  #seeSent(event: Accepted | ConnectionCut): Repeat | undefined {
    const repeat = this.#repeatOf(event);
    if (event.kind === "accepted" ? !wasAnsweredAsRefused(event) : !this.#mayStillCost(event)) this.#track(event);
    return repeat;
  }

  /** An accepted order that can still be repeated must not be replaced by an identical one that was cut off before acceptance. */
  #mayStillCost(event: ConnectionCut): boolean {
    const earlier = this.#byContent.get(event.content);
    return (
      earlier !== undefined &&
      earlier.wasAccepted &&
      (earlier.isAlive || sentAt(event) - earlier.sentAt <= SAME_INTENTION)
    );
  }

  #repeatOf(again: Repeat["again"]): Repeat | undefined {
    const earlier = this.#byContent.get(again.content);
    if (earlier === undefined || again.order === undefined) return undefined;
    const at = sentAt(again);
    const { uncertainty } = earlier;
    const apart = at - earlier.sentAt;
    const isStillOpen = uncertainty !== undefined && earlier.isAlive;
    if (apart < 0 || (apart > SAME_INTENTION && !isStillOpen)) return undefined;
    const isBalanceChecked = this.#detailsReadAt >= earlier.sentAt;
    const repeat = { earlier, again, apart, isBalanceChecked };
    if (uncertainty !== undefined && at >= uncertainty.from && at < uncertainty.until)
      return { ...repeat, uncertainty };
    earlier.repeat = repeat;
    return earlier.repeat;
  }

  #track(event: Accepted | ConnectionCut): void {
    if (event.order === undefined) return;
    const order: TrackedOrder = {
      requestId: event.requestId,
      content: event.content,
      sentAt: sentAt(event),
      wasAccepted: event.kind === "accepted",
      uncertainty: uncertaintyWindowOf(event),
      outcome: "unresolved",
      isReported: false,
      isAlive: event.kind === "accepted",
    };
    this.#byId.set(event.requestId, order);
    this.#byContent.set(event.content, order);
  }

  /** The retry may have arrived shortly before the disconnect was noticed. */
  #seeClientLeft({ requestId, waited }: ClientLeft): Repeat | undefined {
    const order = this.#byId.get(requestId);
    if (order === undefined) return undefined;
    const uncertainty = uncertaintyAfterDisconnect(order.sentAt, waited);
    order.uncertainty = uncertainty;
    const { repeat } = order;
    return repeat !== undefined && repeat.apart >= waited - OVERTAKING ? { ...repeat, uncertainty } : undefined;
  }

  #seeSettled({ requestId, outcome, callback }: Settled): undefined {
    const order = this.#byId.get(requestId);
    if (order === undefined) return undefined;
    if ("none" in callback) order.isAlive = false;
    if (outcome === "succeeded") order.outcome = "succeeded";
    else if (this.#byContent.get(order.content) === order) this.#byContent.delete(order.content);
    return undefined;
  }

  #seeAttempted({ requestId, outcome, scripted, retryAt }: Attempted): undefined {
    const order = this.#byId.get(requestId);
    if (order === undefined) return undefined;
    if (retryAt === undefined) order.isAlive = false;
    if (isAcknowledged(outcome) && !scripted?.unknown_id && !scripted?.malformed) order.isReported = true;
    return undefined;
  }

  #seeQueried(event: DetailsQueried): undefined {
    if (event.rules?.breakage === undefined) this.#detailsReadAt = sentAt(event);
    return undefined;
  }
}

/** Modified in place: copying it for each result and callback would be the largest cost here. */
interface TrackedOrder extends SentOrder {
  readonly content: number;
  uncertainty: UncertaintyWindow | undefined;
  outcome: SentOrder["outcome"];
  isReported: boolean;
  /** Whether its result, or the callback about it, is still pending. */
  isAlive: boolean;
  /** A repeat sent while there was no uncertainty about this order. */
  repeat?: Repeat;
}
