import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type {
  Accepted,
  Attempted,
  ClientLeft,
  ConnectionCut,
  RequestEvent,
  RequestRefused,
  Settled,
} from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { NOTHING, type Observation, type Watcher } from "./check.ts";
import { describePrivately } from "../../gateway/account/readings/describe-order.ts";
import { describeDuration } from "./describe.ts";
import { type Check, requestExchanges } from "./finding.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { uncertaintyAfterDisconnect, type Uncertainty, uncertaintyOf, wasAnsweredAsRefused } from "./uncertainty.ts";

const CHECKS = [
  {
    id: "double-spend",
    severity: "defect",
    title: "An order was accepted twice after a lost acknowledgment",
    why: "A lost or late acknowledgment says nothing about the outcome: the first order may have been accepted, and here it was. Sent again, it is charged and delivered twice.",
    repair:
      "If the answer is missing, store the order as unknown and never resend it automatically. Wait for a callback, or compare your records with the balance of account-details, and decide then.",
    assumes:
      "Two orders with the same number and amount (for SMS: number, sender and text) within 10 minutes of wall time, or while the first is unresolved, are one intention if the client had no answer to the first. A customer who buys the same twice in that time looks the same from outside.",
  },
  {
    id: "repeated-order",
    severity: "risk",
    title: "An order was sent again that may already have gone through",
    why: "The gateway promises no duplicate detection: each accepted request is charged and delivered, whether or not anybody wanted it twice.",
    repair:
      "Give each order its own identity before sending it, and send it once. A job or a second click that finds the order under way should join it. After a broken connection, find out first what became of the order.",
    assumes:
      "Airtime for the same number and amount within 5 minutes (what older public pages of the live gateway refuse as a repeat), or the same SMS within 10 s, is one intention until the backend acknowledges the first one's success. After a broken connection that holds for 10 minutes, or as long as the first is unresolved. A backend that read account-details in between decided by the balance.",
  },
  {
    id: "repeated-by-client",
    severity: "risk",
    title: "An HTTP client silently repeated an order",
    why: "Many HTTP libraries silently send a request again when a connection from their pool turns out to be closed. The gateway may have accepted the first one: then it charges and delivers both, and the application only ever sees the second.",
    repair:
      "Turn it off for orders. Node: undici's RetryAgent or got's retry with limit 0. PHP and curl: CURLOPT_FORBID_REUSE (Guzzle: 'curl' => [CURLOPT_FORBID_REUSE => true]). Python's requests and urllib3: Retry(total=0). Java's HttpURLConnection: -Dsun.net.http.retryPost=false; Apache HttpClient: disableAutomaticRetries(); OkHttp: retryOnConnectionFailure(false). Go: a Transport with DisableKeepAlives. If your own code retries at once, make it find out first what became of the order.",
    assumes:
      "Only an HTTP library sends the same order again within 100 ms of a reset on a connection that it had used before. A retry loop of your own that does not wait looks the same.",
  },
] as const satisfies readonly Check[];

export const repeatedOrders: Watcher = {
  checks: CHECKS,
  kinds: ["accepted", "cut", "refused", "client-left", "settled", "reversed", "attempted", "queried"],
  watch: () => {
    const orders = new SentOrders();
    const broken = new BrokenConnections();
    return (event) => {
      const byApplication = orders.see(event);
      const byClient = isRequestEvent(event) ? broken.see(event) : undefined;
      if (byApplication === undefined && byClient === undefined) return NOTHING;
      return [byApplication, byClient].filter((observation) => observation !== undefined);
    };
  },
};

/** An order sent again although an identical earlier one went through, or may have. */
interface Repeat {
  readonly earlier: SentOrder;
  readonly again: Accepted | ConnectionCut | RequestRefused;
  readonly apart: Millis;
  /** Why the client could not know the outcome of the earlier order; undefined if it could. */
  readonly uncertainty: Uncertainty | undefined;
  /** Whether the client read account-details after sending the earlier order: the balance shows whether that was accepted. */
  readonly isBalanceChecked: boolean;
}

/** The latest order with its content that may cost money. Modified in place: copying it for each event would be the largest cost here. */
interface SentOrder {
  readonly requestId: string;
  readonly content: number;
  readonly sentAt: Instant;
  readonly wasAccepted: boolean;
  uncertainty: Uncertainty | undefined;
  hasSucceeded: boolean;
  /** Whether the receiver acknowledged the callback with the result. */
  isReported: boolean;
  /** Whether its result, or the callback about it, is still pending. */
  isAlive: boolean;
  /** A repeat sent while there was no uncertainty about this order. */
  repeat?: Repeat;
}

/** An identical order counts as a repeat for this long, or while the earlier one is unresolved and the client cannot know its outcome. */
const SAME_INTENTION: Millis = 10 * MINUTE;

/** How much earlier a request on a new connection may arrive than the end of the old connection is noticed. */
const OVERTAKING: Millis = 100;

class SentOrders {
  readonly #byContent = new RecentMap<number, SentOrder>();
  readonly #byId = new RecentMap<string, SentOrder>();
  /** What the second of two orders shows while the client may have left the first: told with the result of the second, unless word of that comes. */
  readonly #untilResult = new RecentMap<string, Observation>();
  #detailsReadAt: Instant = -Infinity;

  see(event: AccountEvent): Observation | undefined {
    switch (event.kind) {
      case "accepted":
      case "cut":
        return this.#seeSent(event);
      case "refused":
        return this.#compare(event);
      case "queried":
        if (event.rules?.breakage === undefined) this.#detailsReadAt = sentAt(event);
        return undefined;
      case "settled": {
        this.#seeAftermath(event);
        const observation = this.#untilResult.get(event.requestId);
        this.#untilResult.delete(event.requestId);
        return observation;
      }
      case "reversed":
        this.#forgetContent(event.requestId);
        return undefined;
      case "attempted":
        this.#seeAftermath(event);
        return undefined;
      case "client-left":
        return this.#seeLeaving(event);
      default:
        return undefined;
    }
  }

  #seeSent(event: Accepted | ConnectionCut): Observation | undefined {
    const observation = this.#compare(event);
    const isOver = event.kind === "accepted" ? wasAnsweredAsRefused(event) : this.#mayStillCost(event);
    if (isOver || event.order === undefined) return observation;
    const order: SentOrder = {
      requestId: event.requestId,
      content: event.content,
      sentAt: sentAt(event),
      wasAccepted: event.kind === "accepted",
      uncertainty: uncertaintyOf(event),
      hasSucceeded: false,
      isReported: false,
      isAlive: event.kind === "accepted",
    };
    this.#byId.set(event.requestId, order);
    this.#byContent.set(event.content, order);
    return observation;
  }

  /** An accepted order that can still be repeated must not be replaced by an identical one that was cut off before acceptance. */
  #mayStillCost(event: ConnectionCut): boolean {
    const earlier = this.#byContent.get(event.content);
    if (earlier === undefined || !earlier.wasAccepted) return false;
    return earlier.isAlive || sentAt(event) - earlier.sentAt <= SAME_INTENTION;
  }

  #compare(again: Repeat["again"]): Observation | undefined {
    const earlier = this.#byContent.get(again.content);
    if (earlier === undefined || again.order === undefined) return undefined;
    const apart = sentAt(again) - earlier.sentAt;
    const isStillOpen = earlier.uncertainty !== undefined && earlier.isAlive;
    if (apart < 0 || (apart > SAME_INTENTION && !isStillOpen)) return undefined;
    const isBalanceChecked = this.#detailsReadAt >= earlier.sentAt;
    const repeat = { earlier, again, apart, isBalanceChecked, uncertainty: uncertaintyAt(sentAt(again), earlier) };
    if (repeat.uncertainty === undefined) earlier.repeat = repeat;
    const observation = judge(repeat);
    if (observation === undefined || !isBeforeAnswer(repeat)) return observation;
    this.#untilResult.set(again.requestId, observation);
    return undefined;
  }

  #seeAftermath(event: Settled | Attempted): void {
    const order = this.#byId.get(event.requestId);
    if (order === undefined) return;
    if (event.kind === "attempted") {
      if (event.retryAt === undefined) order.isAlive = false;
      if (isAcknowledged(event.outcome)) order.isReported = true;
      return;
    }
    if ("none" in event.callback) order.isAlive = false;
    if (event.outcome === "succeeded") order.hasSucceeded = true;
    else this.#forgetContent(event.requestId);
  }

  /** An order whose money came back may be placed again. */
  #forgetContent(requestId: string): void {
    const order = this.#byId.get(requestId);
    if (order !== undefined && this.#byContent.get(order.content) === order) this.#byContent.delete(order.content);
  }

  #seeLeaving({ requestId, waited }: ClientLeft): Observation | undefined {
    const order = this.#byId.get(requestId);
    if (order === undefined) return undefined;
    const uncertainty = uncertaintyAfterDisconnect(order.sentAt, waited);
    order.uncertainty = uncertainty;
    // The retry may have arrived shortly before the disconnect was noticed.
    const { repeat } = order;
    if (repeat === undefined || repeat.apart < waited - OVERTAKING) return undefined;
    this.#untilResult.delete(repeat.again.requestId);
    return judge({ ...repeat, uncertainty });
  }
}

function uncertaintyAt(at: Instant, { uncertainty }: SentOrder): Uncertainty | undefined {
  return uncertainty !== undefined && at >= uncertainty.from && at < uncertainty.until ? uncertainty : undefined;
}

/** Returns whether the client still waits for its first answer, or has just left: only the end of that connection tells which. */
function isBeforeAnswer({ earlier, again }: Repeat): boolean {
  const isUnanswered = earlier.uncertainty !== undefined && sentAt(again) < earlier.uncertainty.from;
  return isUnanswered && again.kind === "accepted" && again.plan.settleAfter !== "never";
}

/**
 * Older public pages of the gateway say that similar airtime within 5 minutes is rejected (public-facts.md). People request a code by SMS
 * again sooner.
 */
const ONE_INTENTION = { airtime: 5 * MINUTE, sms: 10 * SECOND } as const;

function judge(repeat: Repeat): Observation | undefined {
  const { earlier, again, apart, uncertainty } = repeat;
  const { order, requestId } = again;
  if (order === undefined) return undefined;
  const isTwice = uncertainty !== undefined && again.kind === "accepted" && earlier.wasAccepted;
  const outcome = earlier.hasSucceeded ? "had succeeded" : "was unresolved";
  const problem = isTwice
    ? `was accepted twice, ${describeDuration(apart)} apart: ${uncertainty.because}, and it ${outcome} when the second came`
    : describeRisk(repeat, outcome);
  if (problem === undefined) return undefined;
  return {
    id: isTwice ? "double-spend" : "repeated-order",
    subject: `${order.operation} ${order.phoneNumber}`,
    seen: `${describePrivately(order)} ${problem}.`,
    exchanges: requestExchanges([earlier.requestId, requestId]),
  };
}

/** Describes a repeat that did not cost money after a lost answer, or that came although the client had its answer. */
function describeRisk(repeat: Repeat, outcome: string): string | undefined {
  const { earlier, again, apart, uncertainty } = repeat;
  const what = `was sent again after ${describeDuration(apart)}`;
  if (uncertainty !== undefined) {
    const luck = describeLuck(repeat);
    return luck && `${what}: ${uncertainty.because}${luck}`;
  }
  if (again.kind !== "accepted" || apart > ONE_INTENTION[again.order.operation]) return undefined;
  if (!earlier.wasAccepted || earlier.isReported) return undefined;
  const isAnswered = earlier.uncertainty === undefined || sentAt(again) >= earlier.uncertainty.until;
  const answered = isAnswered ? "had been acknowledged" : "was not answered yet";
  return `${what}: the first ${answered} and ${outcome}, and the second was accepted too`;
}

/** Returns what kept a repeat from costing money twice. One that the gateway itself refused as such (422) did no harm. */
function describeLuck({ earlier, again, isBalanceChecked }: Repeat): string | undefined {
  if (isBalanceChecked || (again.kind === "refused" && again.code === 422)) return undefined;
  if (!earlier.wasAccepted) return "; it had not been accepted, but the client could not know that";
  const what = again.kind === "refused" ? `its refusal (${again.code})` : "the broken connection of the second";
  return `, and only ${what} kept the second from being paid for too`;
}

/** A library repeats at once; the slowest part is opening a new connection. A person, or a retry loop with a pause, takes longer. */
const AT_ONCE: Millis = 100;

/** Orders reset on a connection that had been used before. Libraries only repeat these, and only if no byte came back. */
class BrokenConnections {
  /** The order's request, and when the client noticed the reset (wall time). */
  readonly #byContent = new RecentMap<number, { readonly requestId: string; readonly at: Instant }>();

  see(event: RequestEvent): Observation | undefined {
    const { content, requestId } = event;
    const { ack } = event.rules ?? {};
    const earlier = this.#byContent.get(content);
    if (wasResetOnReuse(event)) this.#byContent.set(content, { requestId, at: sentAt(event) + (ack?.delay ?? 0) });
    else this.#byContent.delete(content);
    if (earlier === undefined || !("order" in event) || event.order === undefined) return undefined;
    const wait = sentAt(event) - earlier.at;
    if (wait < 0 || wait >= AT_ONCE) return undefined;
    return {
      id: "repeated-by-client",
      subject: event.order.operation,
      seen: `${describePrivately(event.order)} came again ${wait} ms after its connection, which had been used before, was reset.`,
      exchanges: requestExchanges([earlier.requestId, requestId]),
    };
  }
}

function wasResetOnReuse({ rules, traits }: RequestEvent): boolean {
  const isSilent = rules?.breakage === "reset" || rules?.breakage === "empty";
  return isSilent && traits?.isFirstOnConnection !== true;
}
