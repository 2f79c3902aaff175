import type { Writable } from "../../domain/immutable.ts";
import { addKes, type Kes, NO_MONEY } from "../../domain/kes.ts";
import { type Order, orderFields } from "../../domain/order.ts";
import { formatDuration, type Instant, type Millis, MINUTE, SECOND } from "../../domain/time.ts";
import type { ClientLeft, RequestEvent } from "../events.ts";
import { responseTime, answerOf, isOfKredo, sentAt } from "./answer.ts";
import { RecentMap } from "./recent-map.ts";
import type { DeliveredOrder, RequestReading } from "./request.ts";

/** What a customer wanted, however many requests there were for it: what it got and what was paid, in sum. */
export interface SaleReading {
  readonly asked: number;
  readonly accepted: number;
  readonly sold: number;
  /** How many were sold and then taken back with their charge, which nobody paid in the end. */
  readonly reversed: number;
  /** How many requests of it the backend knows the outcome of. */
  readonly notified: number;
  /** What was sold and has arrived. */
  readonly delivered: readonly DeliveredOrder[];
  /** What the customer has in the end: what was delivered, and the parts that arrived of messages that failed. */
  readonly arrived: readonly DeliveredOrder[];
  readonly charged: Kes;
  readonly held: Kes;
  readonly refunded: Kes;
  /** Whether it was sold more often than it was wanted, and no answer misled the backend. */
  readonly isSoldTwice: boolean;
  readonly isMisled: boolean;
  /** Whether the backend knows the outcome of each request of it. */
  readonly isNotified: boolean;
  /** Whether nothing of it was delivered, and a result that it waits for will never come. */
  readonly neverSettles: boolean;
}

/** What a customer wanted. It may take several requests by design. */
export interface Wanted {
  /** For each number. */
  readonly requests: number;
  /** The most airtime in sum, if that is known: more requests that sell no more than this are its parts. */
  readonly airtime?: Kes;
  /** The texts of an SMS in parts, each as often as it occurs. */
  readonly texts?: readonly string[];
}

export const WANTED_ONCE: Wanted = { requests: 1 };

/** Adds up the requests for one thing. */
export function readSale(requests: readonly RequestReading[], wanted = WANTED_ONCE): SaleReading {
  const delivered: DeliveredOrder[] = [];
  const arrived: DeliveredOrder[] = [];
  const sum = { accepted: 0, sold: 0, reversed: 0, notified: 0, charged: NO_MONEY, held: NO_MONEY, refunded: NO_MONEY };
  // One pass: the page reads the sales of all its rows.
  for (const one of requests) {
    add(sum, one);
    if (one.delivered !== undefined && one.isSold) delivered.push(one.delivered);
    if (one.delivered !== undefined && one.refunded === undefined) arrived.push(one.delivered);
  }
  const isMisled = requests.some((one) => one.isMisled);
  return {
    asked: requests.length,
    ...sum,
    delivered,
    arrived,
    isSoldTwice: !isMisled && isMoreThan(wanted, requests, sum.sold),
    isMisled,
    isNotified: sum.notified > 0 && sum.notified === requests.length,
    neverSettles: delivered.length === 0 && requests.some(({ isStuck }) => isStuck),
  };
}

function isMoreThan(wanted: Wanted, requests: readonly RequestReading[], sold: number): boolean {
  if (sold <= 1) return false;
  const orders = requests.flatMap(({ isSold, asked }) => (isSold && asked !== undefined ? [asked] : []));
  if (wanted.texts !== undefined) return isOfMoreThan(wanted.texts, orders);
  if (sold <= wanted.requests) return false;
  const airtime = orders.reduce((sum, order) => ("amount" in order ? addKes(sum, order.amount) : sum), NO_MONEY);
  if (wanted.airtime !== undefined && airtime <= wanted.airtime) return false;
  const timesOf = (number: string): number => orders.filter(({ phoneNumber }) => phoneNumber === number).length;
  return orders.some(({ phoneNumber }) => timesOf(phoneNumber) > wanted.requests);
}

/** Returns whether a number was sold a text more often than an SMS in parts has it. */
function isOfMoreThan(texts: readonly string[], orders: readonly Order[]): boolean {
  return orders.some((order) => {
    const { message } = orderFields(order);
    const isAlike = (one: Order): boolean =>
      one.phoneNumber === order.phoneNumber && orderFields(one).message === message;
    return orders.filter(isAlike).length > texts.filter((text) => text === message).length;
  });
}

type Sum = Writable<Pick<SaleReading, "accepted" | "sold" | "reversed" | "notified" | "charged" | "held" | "refunded">>;

function add(sum: Sum, { isAccepted, isSold, isNotified, charged, held, refunded }: RequestReading): void {
  if (isAccepted) sum.accepted += 1;
  if (isSold) sum.sold += 1;
  if (isNotified) sum.notified += 1;
  sum.charged = addKes(sum.charged, charged);
  sum.held = addKes(sum.held, held);
  if (refunded === undefined) return;
  sum.reversed += 1;
  sum.refunded = addKes(sum.refunded, refunded);
}

/** The wall time in which a client cannot know what became of its request: from when it may give up until it has read an answer. */
export interface Uncertainty {
  readonly from: Instant;
  readonly until: Instant;
  /** The reason, as part of a sentence about the first of two requests: "the first got no answer: connection reset". */
  readonly because: string;
}

/** No client gives up sooner: an identical order that arrives earlier was ordered twice, not sent again. */
const SHORTEST_TIMEOUT: Millis = SECOND;

/** How much earlier a request on a new connection may arrive than the end of the old connection is noticed. */
const OVERTAKING: Millis = 100;

/** Returns when the client of a request could not know what became of it; undefined if it always could. */
export function uncertaintyOf(event: RequestEvent, left?: ClientLeft): Uncertainty | undefined {
  const at = sentAt(event);
  const answer = answerOf(event, left);
  const after = left === undefined ? responseTime(event) : Math.max(0, left.waited - OVERTAKING);
  const from = at + Math.min(after, SHORTEST_TIMEOUT);
  if (answer.says === "none") return { from, until: Infinity, because: `the first got no answer: ${answer.why}` };
  if (answer.says === "unclear") return { from, until: Infinity, because: `the first was answered with ${answer.why}` };
  if (after < SHORTEST_TIMEOUT) return undefined;
  return { from, until: at + after, because: `the answer to the first was still due after ${formatDuration(after)}` };
}

/** Requests for the same are one sale for this long after one whose client cannot know what became of it. */
export const SAME_SALE: Millis = 10 * MINUTE;

/** So many requests for one thing are kept. */
const MAX_REPEATED = 30;

const NONE: readonly RequestEvent[] = [];

type LeftOf = (request: RequestEvent) => ClientLeft | undefined;

/** The latest orders that backends may send again. `limit` is of how many things they are kept. */
export class RepeatableOrders {
  readonly #byContent: RecentMap<number, readonly RequestEvent[]>;
  readonly #leftOf: LeftOf;

  constructor(leftOf: LeftOf, limit?: number) {
    this.#leftOf = leftOf;
    this.#byContent = new RecentMap(limit);
  }

  /** A refusal leaves nothing to wonder about, unless its client may leave before it. */
  add(event: RequestEvent): void {
    if (!("order" in event) || event.order === undefined || isOfKredo(event)) return;
    if (answerOf(event).says === "refused" && responseTime(event) === 0) return;
    const others = this.#byContent.get(event.content)?.slice(1 - MAX_REPEATED) ?? [];
    this.#byContent.set(event.content, [...others, event]);
  }

  /**
   * Returns the request that a backend's request for the same repeats: the latest whose client could not know then what had become of it. An
   * acceptance that it had read by then answers all that was sent before it came.
   */
  repeatedBy(again: RequestEvent): RequestEvent | undefined {
    if (isOfKredo(again)) return undefined;
    const earlier = this.#before(again);
    const unknown = earlier.filter((one) => this.#isRetry(again, one));
    if (unknown.length === 0) return undefined;
    const knownSince = Math.max(...earlier.map((one) => this.#acceptanceRead(one)).filter((at) => at <= sentAt(again)));
    return unknown.findLast((one) => sentAt(one) >= knownSince);
  }

  /** Returns the earlier requests of a sale, latest first. */
  saleBefore(again: RequestEvent): readonly RequestEvent[] {
    // Most orders repeat nothing, and every order asks.
    if (this.repeatedBy(again) === undefined) return NONE;
    const firsts = new Map<RequestEvent, RequestEvent>();
    const earlier = this.#before(again);
    for (const one of [...earlier, again]) {
      const repeated = this.repeatedBy(one);
      firsts.set(one, (repeated && firsts.get(repeated)) ?? one);
    }
    return earlier.filter((one) => firsts.get(one) === firsts.get(again)).toReversed();
  }

  #before(again: RequestEvent): readonly RequestEvent[] {
    const kept = this.#byContent.get(again.content) ?? NONE;
    const place = kept.indexOf(again);
    return place < 0 ? kept : kept.slice(0, place);
  }

  /** Returns when the client of a request read that it was accepted; Infinity if it never did. */
  #acceptanceRead(one: RequestEvent): Instant {
    return answerOf(one, this.#leftOf(one)).says === "accepted" ? sentAt(one) + responseTime(one) : Infinity;
  }

  #isRetry(again: RequestEvent, earlier: RequestEvent): boolean {
    const at = sentAt(again);
    const apart = at - sentAt(earlier);
    if (apart < 0 || apart > SAME_SALE) return false;
    const uncertainty = uncertaintyOf(earlier, this.#leftOf(earlier));
    return uncertainty !== undefined && at >= uncertainty.from && at < uncertainty.until;
  }
}
