import type { Accepted, AccountEvent, Attempted, ClientLeft, ConnectionCut, RequestRefused, Settled } from "../account/events.ts";
import { isAcknowledged } from "../domain/callback-outcome.ts";
import { type Instant, type Millis, MINUTE } from "../domain/time.ts";
import { type Doubt, doubtAfterLeaving, doubtOf, isToldRefused } from "./doubt.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "./sent-at.ts";

/** An order that was sent again although an equal one before it stands, or may. */
export interface Repeat {
  readonly earlier: SentOrder;
  readonly again: Accepted | ConnectionCut | RequestRefused;
  readonly apart: Millis;
  /** Why the client could not know what had become of the earlier one; absent where it could. */
  readonly doubt?: Doubt;
}

/** The last order of its content that may cost money. */
export interface SentOrder {
  readonly requestId: string;
  readonly sentAt: Instant;
  readonly wasAccepted: boolean;
  readonly doubt: Doubt | undefined;
  readonly fate: "unresolved" | "succeeded";
  /** The receiver acknowledged its result. */
  readonly isReported: boolean;
}

/** How long an equal order counts as the same one sent again, when the client could not know: retries of job queues come within it. */
const SAME_INTENTION: Millis = 10 * MINUTE;

/** By so much a new connection's request overtakes the end of the old connection. */
const OVERTAKING: Millis = 100;

/** Remembers the orders that stand, by content, and notices when one is sent again. Takes an event in once, however many ask what it shows. */
export class SentOrders {
  readonly #byContent = new RecentMap<number, Standing>();
  readonly #byId = new RecentMap<string, Standing>();

  #latest: AccountEvent | undefined;
  #shown: Repeat | undefined;

  see(event: AccountEvent): Repeat | undefined {
    if (event !== this.#latest) {
      this.#shown = this.#take(event);
      this.#latest = event;
    }
    return this.#shown;
  }

  #take(event: AccountEvent): Repeat | undefined {
    switch (event.kind) {
      case "accepted":
      case "cut":
        return this.#seeSent(event);
      case "refused":
        return this.#repeatOf(event);
      case "client-left":
        return this.#seeLeft(event);
      case "settled":
        return this.#seeSettled(event);
      case "attempted":
        return this.#seeAttempted(event);
      default:
        return undefined;
    }
  }

  #seeSent(event: Accepted | ConnectionCut): Repeat | undefined {
    const repeat = this.#repeatOf(event);
    if (event.kind === "accepted" ? !isToldRefused(event) : !repeat?.earlier.wasAccepted) this.#remember(event);
    return repeat;
  }

  #repeatOf(again: Repeat["again"]): Repeat | undefined {
    const earlier = this.#byContent.get(again.content);
    if (earlier === undefined || again.order === undefined) return undefined;
    const at = sentAt(again);
    const { doubt } = earlier;
    const apart = at - earlier.sentAt;
    if (apart < 0 || apart > SAME_INTENTION) return undefined;
    if (doubt !== undefined && at >= doubt.from && at < doubt.until) return { earlier, again, apart, doubt };
    earlier.repeat = { earlier, again, apart };
    return earlier.repeat;
  }

  #remember(event: Accepted | ConnectionCut): void {
    if (event.order === undefined) return;
    const standing: Standing = {
      requestId: event.requestId,
      content: event.content,
      sentAt: sentAt(event),
      wasAccepted: event.kind === "accepted",
      doubt: doubtOf(event),
      fate: "unresolved",
      isReported: false,
    };
    this.#byId.set(event.requestId, standing);
    this.#byContent.set(event.content, standing);
  }

  /** The next try may be here a little before word of the leaving is. */
  #seeLeft({ requestId, waited }: ClientLeft): Repeat | undefined {
    const standing = this.#byId.get(requestId);
    if (standing === undefined) return undefined;
    const doubt = doubtAfterLeaving(standing.sentAt, waited);
    standing.doubt = doubt;
    const { repeat } = standing;
    return repeat !== undefined && repeat.apart >= waited - OVERTAKING ? { ...repeat, doubt } : undefined;
  }

  #seeSettled({ requestId, outcome }: Settled): undefined {
    const standing = this.#byId.get(requestId);
    if (standing === undefined) return undefined;
    if (outcome === "succeeded") standing.fate = "succeeded";
    else if (this.#byContent.get(standing.content) === standing) this.#byContent.delete(standing.content);
    return undefined;
  }

  #seeAttempted({ requestId, outcome, scripted }: Attempted): undefined {
    if (!isAcknowledged(outcome) || scripted?.unknownId || scripted?.malformed) return undefined;
    const standing = this.#byId.get(requestId);
    if (standing !== undefined) standing.isReported = true;
    return undefined;
  }
}

/** Changed in place: a copy for each result and each callback would cost more than all the rest. */
interface Standing extends SentOrder {
  readonly content: number;
  doubt: Doubt | undefined;
  fate: SentOrder["fate"];
  isReported: boolean;
  /** The same order again, as long as nobody was in doubt of this one. */
  repeat?: Repeat;
}
