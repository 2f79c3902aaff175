import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { responseTime, answerOf, sentAt } from "../../gateway/account/readings/answer.ts";
import { describeOrderMasked } from "../../gateway/account/readings/describe-order.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import type { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import { readRequest, type RequestReading, resultsIn } from "../../gateway/account/readings/request.ts";
import { readSale, RepeatableOrders, SAME_SALE, uncertaintyOf } from "../../gateway/account/readings/sale.ts";
import type { Order } from "../../gateway/domain/order.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { type Check, requestExchanges } from "./finding.ts";

const CHECKS = [
  {
    id: "sold-twice",
    severity: "defect",
    title: "An order was sold twice after a lost acknowledgment",
    why: "A lost or late acknowledgment says nothing about the outcome: the first order may have been accepted, and here it was. Sent again, it is charged and delivered twice.",
    repair:
      "If the answer is missing, store the order as unknown and never resend it automatically. Wait for a callback, or compare your records with the balance of account-details, and decide then.",
    assumes:
      "Two orders with the same number and amount (for SMS: number, sender and text) within 10 minutes of wall time are one intention if the client had no answer to the first when it sent the second. A customer who buys the same twice in that time looks the same from outside. It is taken back if one of the two fails later.",
  },
  {
    id: "repeated-order",
    severity: "risk",
    title: "An order was sent again that may already have gone through",
    why: "The gateway promises no duplicate detection: each accepted request is charged and delivered, whether or not anybody wanted it twice.",
    repair:
      "Give each order its own identity before sending it, and send it once. A job or a second click that finds the order under way should join it. After a broken connection, find out first what became of the order.",
    assumes:
      "Airtime for the same number and amount within 5 minutes (what older public pages of the live gateway refuse as a repeat), or the same SMS within 10 s, is one intention until the backend acknowledges the first one's success. After an answer that was lost or said nothing, that holds for 10 minutes. A backend that read account-details in between decided by the balance.",
  },
  {
    id: "repeated-at-once",
    severity: "risk",
    title: "An order came again at once after its connection broke",
    why: "The gateway may have accepted the first one: then it charges and delivers both. If an HTTP library sent it again by itself, as many do when a connection from their pool turns out to be closed, the application only ever sees the second.",
    repair:
      "If your own code sends again at once, make it find out first what became of the order. If it does not, your HTTP client does; turn that off for orders. Node: undici's RetryAgent or got's retry with limit 0. PHP and curl: CURLOPT_FORBID_REUSE (Guzzle: 'curl' => [CURLOPT_FORBID_REUSE => true]). Python's requests and urllib3: Retry(total=0). Java's HttpURLConnection: -Dsun.net.http.retryPost=false; Apache HttpClient: disableAutomaticRetries(); OkHttp: retryOnConnectionFailure(false). Go: a Transport with DisableKeepAlives.",
    assumes:
      "The same order within 100 ms of a connection that broke, and had been used before, is the same intention. Whether a library or your own code sent it, the bytes do not show.",
  },
] as const satisfies readonly Check[];

export const repeatedOrders: Watcher = {
  checks: CHECKS,
  kinds: ["accepted", "cut", "refused", "client-left", "settled", "reversed", "queried"],
  watch: (_settings, aftermaths) => {
    const orders = new SentOrders(aftermaths);
    const broken = new BrokenConnections();
    return (event) => {
      const repeated = orders.see(event);
      const atOnce = isRequestEvent(event) ? broken.see(event) : undefined;
      return atOnce === undefined ? repeated : [...repeated, atOnce];
    };
  },
};

/** Two requests for the same, of which the first may have cost money when the second came. */
interface Repeat {
  readonly earlier: RequestEvent;
  readonly again: RequestEvent;
  readonly order: Order;
  /** Whether the backend had acknowledged the success of the first when the second came. */
  readonly wasNotified: boolean;
  /** Whether the client read account-details after sending the first: the balance shows whether that was accepted. */
  readonly isBalanceChecked: boolean;
  /** What was observed of it last. */
  reported?: Observation;
}

class SentOrders {
  readonly #aftermaths: Aftermaths;
  readonly #repeatable: RepeatableOrders;
  /** The latest request with its content that may cost money. */
  readonly #byContent = new RecentMap<number, RequestEvent>();
  /** The latest repeat of a request, by the ids of both. */
  readonly #repeats = new RecentMap<string, Repeat>();
  #detailsReadAt: Instant = -Infinity;

  constructor(aftermaths: Aftermaths) {
    this.#aftermaths = aftermaths;
    this.#repeatable = new RepeatableOrders(({ requestId }) => aftermaths.of(requestId).left);
  }

  see(event: AccountEvent): readonly Observation[] {
    if (isRequestEvent(event)) return this.#seeRequest(event);
    if (!("requestId" in event) || (event.kind === "settled" && event.outcome === "succeeded")) return NO_OBSERVATIONS;
    const own = this.#repeats.get(`second ${event.requestId}`);
    const next = this.#repeats.get(`first ${event.requestId}`);
    if (own === undefined && next === undefined) return NO_OBSERVATIONS;
    return [...this.#judge(own), ...this.#judgeFrom(next)];
  }

  /** Judges a repeat, and those that came after its second. */
  #judgeFrom(repeat: Repeat | undefined, depth = 0): readonly Observation[] {
    if (repeat === undefined || depth === LONGEST_SALE) return NO_OBSERVATIONS;
    const next = this.#repeats.get(`first ${repeat.again.requestId}`);
    return [...this.#judge(repeat), ...this.#judgeFrom(next, depth + 1)];
  }

  #seeRequest(event: RequestEvent): readonly Observation[] {
    if (event.kind === "queried") {
      if (answerOf(event).says === "accepted") this.#detailsReadAt = sentAt(event);
      return NO_OBSERVATIONS;
    }
    if (event.order === undefined) return NO_OBSERVATIONS;
    const earlier = this.#earlierOf(event);
    if (mayCost(event, this.#byContent.get(event.content))) this.#byContent.set(event.content, event);
    this.#repeatable.add(event);
    const repeat = earlier && this.#repeatOf(earlier, event, event.order);
    if (repeat === undefined) return NO_OBSERVATIONS;
    this.#repeats.set(`first ${repeat.earlier.requestId}`, repeat);
    this.#repeats.set(`second ${event.requestId}`, repeat);
    return this.#judge(repeat);
  }

  /** Returns what a request repeats, or what it may be mistaken for. An order whose money came back may be placed again. */
  #earlierOf(event: RequestEvent): RequestEvent | undefined {
    const latest = this.#byContent.get(event.content);
    const costly = this.#repeatable.saleBefore(event).filter((one) => this.#mayBeSold(one));
    const earlier = costly.find((one) => this.#read(one).isSold) ?? costly[0] ?? latest;
    return earlier && this.#mayBeSold(earlier) ? earlier : undefined;
  }

  #mayBeSold(event: RequestEvent): boolean {
    return event.kind !== "accepted" || this.#read(event).isSold;
  }

  #repeatOf(earlier: RequestEvent, again: RequestEvent, order: Order): Repeat | undefined {
    const apart = sentAt(again) - sentAt(earlier);
    if (apart < 0 || apart > SAME_SALE) return undefined;
    const wasNotified = resultsIn(this.#read(earlier).acknowledged).includes("delivered");
    return { earlier, again, order, wasNotified, isBalanceChecked: this.#detailsReadAt >= sentAt(earlier) };
  }

  #read(event: RequestEvent): RequestReading {
    return readRequest(event, this.#aftermaths.of(event.requestId));
  }

  #judge(repeat: Repeat | undefined): readonly Observation[] {
    if (repeat === undefined) return NO_OBSERVATIONS;
    const observation = judge(this.#now(repeat));
    const { reported } = repeat;
    if (observation === undefined || isSameClaim(observation, reported)) return NO_OBSERVATIONS;
    repeat.reported = reported === undefined ? observation : { ...observation, replaces: reported };
    return [repeat.reported];
  }

  #now(repeat: Repeat): RepeatNow {
    const { again } = repeat;
    const sale = this.#repeatable.saleBefore(again);
    const earlier = sale.find((one) => this.#read(one).isSold) ?? repeat.earlier;
    const { progress } = this.#aftermaths.of(earlier.requestId);
    return {
      ...repeat,
      earlier,
      first: this.#read(earlier),
      second: this.#read(again),
      because: sale.includes(earlier) ? this.#uncertaintyIn(sale, earlier) : undefined,
      hadSucceeded: progress !== undefined && "settled" in progress && progress.settled.at <= again.at,
    };
  }

  /** Returns why the client of a request could not know what had become of it, or of another of its sale. */
  #uncertaintyIn(sale: readonly RequestEvent[], earlier: RequestEvent): string | undefined {
    const found = [earlier, ...sale].map((one) => uncertaintyOf(one, this.#aftermaths.of(one.requestId).left));
    return found.find(Boolean)?.because;
  }
}

function isSameClaim(one: Observation, other: Observation | undefined): boolean {
  return one.id === other?.id && one.exchanges[0]?.requestId === other.exchanges[0]?.requestId;
}

/** So many requests for one thing are looked at. */
const LONGEST_SALE = 10;

/** A refusal that came late may have found no client. An accepted order that can still be repeated stays before one that was not. */
function mayCost(event: RequestEvent, earlier: RequestEvent | undefined): boolean {
  if (answerOf(event).says === "refused" && uncertaintyOf(event) === undefined) return false;
  if (event.kind === "accepted" || earlier?.kind !== "accepted") return true;
  return sentAt(event) - sentAt(earlier) > SAME_SALE;
}

/** A repeat as it is now. */
interface RepeatNow extends Repeat {
  readonly first: RequestReading;
  readonly second: RequestReading;
  /** Why the client could not know the outcome of the first when it sent the second; undefined if it could. */
  readonly because: string | undefined;
  /** Whether the first had its result when the second came. */
  readonly hadSucceeded: boolean;
}

function judge(repeat: RepeatNow): Observation | undefined {
  const { earlier, again, order, first, second, because } = repeat;
  const { isSoldTwice, isMisled } = readSale([first, second]);
  if (isMisled) return undefined;
  const isTwice = isSoldTwice && because !== undefined;
  const problem = isTwice
    ? `was sold twice, ${describeDuration(apartOf(repeat))} apart: ${because}, and it ${stateOf(repeat)} when the second came`
    : describeRisk(repeat);
  if (problem === undefined) return undefined;
  return {
    id: isTwice ? "sold-twice" : "repeated-order",
    subject: `${order.operation} ${order.phoneNumber}`,
    seen: `${describeOrderMasked(order)} ${problem}.`,
    exchanges: requestExchanges([earlier.requestId, again.requestId]),
  };
}

function apartOf({ earlier, again }: Repeat): Millis {
  return sentAt(again) - sentAt(earlier);
}

function stateOf({ hadSucceeded }: RepeatNow): string {
  return hadSucceeded ? "had succeeded" : "was unresolved";
}

/**
 * Older public pages of the gateway say that similar airtime within 5 minutes is rejected (public-facts.md). People request a code by SMS
 * again sooner.
 */
const ONE_INTENTION = { airtime: 5 * MINUTE, sms: 10 * SECOND } as const;

/** Describes a repeat that did not cost money after a lost answer, or that came although the client had its answer. */
function describeRisk(repeat: RepeatNow): string | undefined {
  const { earlier, again, order, wasNotified, because } = repeat;
  const apart = apartOf(repeat);
  const what = `was sent again after ${describeDuration(apart)}`;
  if (because !== undefined) {
    const luck = describeLuck(repeat);
    return luck && `${what}: ${because}${luck}`;
  }
  const isTwice = earlier.kind === "accepted" && again.kind === "accepted";
  if (!isTwice || wasNotified || apart > ONE_INTENTION[order.operation]) return undefined;
  const { until = -Infinity } = uncertaintyOf(earlier) ?? {};
  const answered = sentAt(again) >= until ? "had been acknowledged" : "was not answered yet";
  return `${what}: the first ${answered} and ${stateOf(repeat)}, and the second was accepted too`;
}

/** Returns what kept a repeat from costing money twice. One that the gateway itself refused as such (422) did no harm. */
function describeLuck({ earlier, again, isBalanceChecked, first, second }: RepeatNow): string | undefined {
  const { answer } = second;
  if (earlier.kind === "accepted" && again.kind === "accepted") {
    const [which, { refunded }] = first.isSold ? (["second", second] as const) : (["first", first] as const);
    return `, and it was not sold twice only because the ${which} ${refunded === undefined ? "failed" : "was taken back"}`;
  }
  if (isBalanceChecked || (answer.says === "refused" && answer.code === 422)) return undefined;
  if (earlier.kind !== "accepted") return "; it had not been accepted, but the client could not know that";
  const what = answer.says === "refused" ? `was refused (${answer.code})` : "was not accepted";
  return `, and it was not sold twice only because the second ${what}`;
}

/** A library repeats at once; the slowest part is opening a new connection. A person, or a retry loop with a pause, takes longer. */
const AT_ONCE: Millis = 100;

/** Orders whose connection broke without an answer and had been used before. Libraries repeat only these. */
class BrokenConnections {
  readonly #byContent = new RecentMap<number, BrokenConnection>();

  see(event: RequestEvent): Observation | undefined {
    const earlier = this.#byContent.get(event.content);
    const broken = brokenConnection(event);
    if (broken !== undefined) this.#byContent.set(event.content, broken);
    else if (earlier !== undefined) this.#byContent.delete(event.content);
    const order = "order" in event ? event.order : undefined;
    if (earlier === undefined || order === undefined) return undefined;
    const wait = sentAt(event) - earlier.at;
    if (wait < 0 || wait >= AT_ONCE) return undefined;
    return {
      id: "repeated-at-once",
      subject: order.operation,
      seen: `${describeOrderMasked(order)} came again ${wait} ms after its connection, which had been used before, broke (${earlier.why}).`,
      exchanges: requestExchanges([earlier.requestId, event.requestId]),
    };
  }
}

interface BrokenConnection {
  readonly requestId: string;
  readonly why: string;
  /** When the client noticed it, in wall time. */
  readonly at: Instant;
}

function brokenConnection(event: RequestEvent): BrokenConnection | undefined {
  const answer = answerOf(event);
  if (answer.says !== "none" || answer.isSilent !== true || event.traits?.isFirstOnConnection === true)
    return undefined;
  return { requestId: event.requestId, why: answer.why, at: sentAt(event) + responseTime(event) };
}
