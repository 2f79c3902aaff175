import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { describeFalseResult } from "../../gateway/account/readings/describe-order.ts";
import type { RequestReading } from "../../gateway/account/readings/request.ts";
import { addKes, cents, type Kes, NO_MONEY, showKes } from "../../gateway/domain/kes.ts";
import { counted } from "../../gateway/domain/counted.ts";
import type { BookedCharge } from "../application/placed-order.ts";
import type { Verdict } from "../verdict.ts";
import type { BooksOfOrder, OrderEvidence } from "./order-evidence.ts";
import { exchangesOf, problem } from "./order-verdict.ts";
import { type BookedRequest, isBookedInSum, isOfSeveral } from "./several-requests.ts";

/** What the books should have of a request. */
interface Expected extends BookedRequest {
  readonly requestId: string;
  /** Whether the application knows that it was charged. Otherwise, it may have nothing of it. */
  readonly isWanted: boolean;
  readonly entries: readonly BookedCharge[];
}

/**
 * Checks that the entries of each request sum to its charge, to the cent, and that no other entry came with an order that was alone. What
 * could not be read is not assessed.
 */
export function judgeBooks(order: OrderEvidence, events: readonly AccountEvent[]): Verdict[] {
  const { books } = order;
  if ("missing" in books)
    return books.isUnread === true ? [unassessed(order, `the books cannot be read: ${books.missing}`)] : [];
  const expected = expectedOf(order, books.value, events);
  const others = entriesOfNone(books.value, events);
  const unread = [...expected.map((one) => describeUnread(one, books)), describeUnsure(others, books.hasLost)];
  // An entry without a request_id may be of any request, and only the sum of all can be told.
  const isInSum = others.some(isUnnamed) || isBookedInSum(order, expected);
  const wrong = isInSum ? [] : expected.map((one) => describeWrong(one, books.endsAt));
  const surplus = books.isOfOne === true ? describeSurplus([order], events) : undefined;
  return [
    ...[...wrong, surplus].flatMap((seen) => (seen === undefined ? [] : [problem(order, "wrong-books", seen)])),
    ...unread.flatMap((seen) => (seen === undefined ? [] : [unassessed(order, seen)])),
  ];
}

function unassessed(order: OrderEvidence, seen: string): Verdict {
  return { ...problem(order, "wrong-books", seen), is: "not assessed" };
}

/** Returns what the books should have of each request of which that can be said. */
function expectedOf(order: OrderEvidence, books: readonly BookedCharge[], events: readonly AccountEvent[]): Expected[] {
  const { truth, claimed } = order;
  return truth.requests.flatMap((event, at): Expected | [] => {
    const { requestId } = event;
    const [reading, charge] = [truth.readings[at], chargeOf(event, events)];
    if (charge === undefined || (reading && isMisreported(reading)) || isEstimated(event, order)) return [];
    // An order may be paid without knowing of each of its requests, such as a bonus, or of the id of one whose answer was lost.
    const isKnown = reading?.answer.says === "accepted" && (reading.isNotified || !isOfSeveral(order));
    const isWanted = charge > 0 && isKnown && claimed.claim === "paid";
    const entries = books.filter((entry) => entry.requestId === requestId);
    return { requestId, charge, isWanted, entries, sum: sumOf(entries) };
  });
}

/** Returns whether an order may still be booked at what it is expected to cost: it is open, and nobody told its charge. */
function isEstimated({ kind }: RequestEvent, { claimed, truth }: OrderEvidence): boolean {
  return claimed.claim === "open" && kind === "accepted" && !truth.isNotified;
}

/** Returns whether a request was answered or reported as what it is not: nobody who could book it knows what it cost. */
function isMisreported(reading: RequestReading): boolean {
  return reading.isMisled || describeFalseResult(reading) !== undefined;
}

/**
 * Returns what the gateway charged for a request in the end; undefined if that is not over, or if the charge came back: books may have it, its
 * return, or neither.
 */
function chargeOf({ kind, requestId }: RequestEvent, events: readonly AccountEvent[]): Kes | undefined {
  const own = events.filter((event) => "requestId" in event && event.requestId === requestId);
  if (own.some((event) => event.kind === "reversed")) return undefined;
  const settled = own.find((event) => event.kind === "settled");
  if (settled === undefined) return kind === "accepted" ? undefined : NO_MONEY;
  return settled.outcome === "succeeded" ? settled.charge : NO_MONEY;
}

/** Says why it cannot be told whether a request is booked right; undefined if it can. */
function describeUnread({ entries, isWanted }: Expected, { endsAt, isFull }: End): string | undefined {
  const unread = entries.find((entry) => isUnread(entry, isWanted));
  if (unread !== undefined) return `its entry in the books has no amount: ${unread.written}`;
  const mayBeHidden = entries.length === 0 && (isWanted || isFull === true);
  return mayBeHidden && endsAt !== undefined ? describeEnd(endsAt) : undefined;
}

type End = Pick<Extract<BooksOfOrder, { value: unknown }>, "endsAt" | "isFull">;

/** An amount that is null is none yet, which says something only where one is due. */
function isUnread({ amount }: BookedCharge, isWanted = false): boolean {
  return amount === undefined || (amount === null && isWanted);
}

/** Says that a list without an order's charge may end before it. */
export function describeEnd(endsAt: number): string {
  return `the books have no charge for it among their ${counted(endsAt, "entry", "entries")}, and were never seen to be longer, so that this may be a page of them: say under books.next in the app map where the answer has the URL of the next page, or $.next if it has no pages`;
}

function describeWrong({ entries, sum, charge, isWanted }: Expected, endsAt: number | undefined): string | undefined {
  if (entries.some((entry) => isUnread(entry, isWanted)) || sum === charge) return undefined;
  if (sum === NO_MONEY && !isWanted) return undefined;
  const charged = `the gateway charged KES ${showKes(charge)}`;
  if (entries.length === 0) return endsAt === undefined ? `the books have no charge for it; ${charged}` : undefined;
  if (entries.length > 1 && entries.every(({ amount }) => amount === charge))
    return `the books have its charge ${entries.length} times`;
  const among = entries.length > 1 ? ` in ${entries.length} entries` : "";
  return `the books say KES ${showKes(sum)}${among}; ${charged}`;
}

/** Returns whether the books lack the charge of a paid order, although nothing but their length says that they show it all. */
export function lacksCharge(order: OrderEvidence, events: readonly AccountEvent[]): boolean {
  if ("missing" in order.books || order.books.endsAt === undefined) return false;
  return expectedOf(order, order.books.value, events).some(({ isWanted, entries }) => isWanted && entries.length === 0);
}

/** Returns orders with books that show none of them what is new, if they lack the charge of one. */
export function asFullBooks(orders: readonly OrderEvidence[], events: readonly AccountEvent[]): OrderEvidence[] {
  const isFull = orders.some((order) => lacksCharge(order, events));
  return orders.map((order) =>
    isFull && "value" in order.books ? { ...order, books: { ...order.books, isFull } } : order,
  );
}

export function requestIdsIn(events: readonly AccountEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => ("requestId" in event ? [event.requestId] : [])));
}

/** Returns the entries that name no request of a trial. */
function entriesOfNone(entries: readonly BookedCharge[], events: readonly AccountEvent[]): readonly BookedCharge[] {
  const ids = requestIdsIn(events);
  return entries.filter(({ requestId = "" }) => !ids.has(requestId));
}

function isUnnamed({ requestId }: BookedCharge): boolean {
  return requestId === undefined;
}

/** Says why entries of no request tell nothing. */
function describeUnsure(others: readonly BookedCharge[], hasLost = false): string | undefined {
  const [first] = others;
  if (first === undefined) return undefined;
  if (hasLost) return `the books lost entries meanwhile, so that others may only look new: ${first.written}`;
  const unread = others.find((entry) => isUnread(entry));
  return unread && `an entry of the books has no amount: ${unread.written}`;
}

/** Says what is in the books that belongs to no charge; undefined if that is nothing, or cannot be told. The orders are all those of a trial. */
function describeSurplus(orders: readonly OrderEvidence[], events: readonly AccountEvent[]): string | undefined {
  const books = orders[0]?.books ?? NO_BOOKS;
  if ("missing" in books || orders.some((order) => "missing" in order.books)) return undefined;
  const others = entriesOfNone(books.value, events);
  if (describeUnsure(others, books.hasLost) !== undefined) return undefined;
  for (const { requestId } of others) {
    const sum = requestId === undefined ? 0 : sumOf(others.filter((entry) => entry.requestId === requestId));
    if (sum !== 0) return `the books have KES ${showKes(cents(sum))} under ${requestId}, ${OF_NO_CHARGE}`;
  }
  return others.some(isUnnamed) ? describeSum(orders, books.value, events) : undefined;
}

const NO_BOOKS = { missing: "no order was placed" };

export const OF_NO_CHARGE = "which belongs to no charge of the gateway";

/** Says that new entries, some of which name no request, sum to what no charges sum to. */
function describeSum(
  orders: readonly OrderEvidence[],
  entries: readonly BookedCharge[],
  events: readonly AccountEvent[],
): string | undefined {
  const expected = orders.flatMap((order) => expectedOf(order, entries, events));
  const charges = new Map(expected.map(({ requestId, charge }) => [requestId, charge]));
  const least = expected.reduce((sum, { charge, isWanted }) => sum + (isWanted ? charge : 0), 0);
  const accepted = events.flatMap((event) => (event.kind === "accepted" ? [event] : []));
  const most = accepted.reduce((sum, { requestId, hold }) => sum + (charges.get(requestId) ?? hold), 0);
  const sum = sumOf(entries);
  if (sum >= least && sum <= most) return undefined;
  const bounds = [least, most].map((bound) => `KES ${showKes(cents(bound))}`);
  return `the books have KES ${showKes(sum)} in ${counted(entries.length, "new entry", "new entries")}, of which some have no request_id; the gateway charged ${[...new Set(bounds)].join(" to ")}`;
}

function sumOf(entries: readonly BookedCharge[]): Kes {
  return entries.reduce((sum, { amount }) => addKes(sum, amount ?? NO_MONEY), NO_MONEY);
}

/** Returns what is wrong with the books of several orders, and cannot be attributed to one of them. */
export function judgeSurplus(orders: readonly OrderEvidence[], events: readonly AccountEvent[]): Verdict | undefined {
  const [first] = orders;
  const isOfOne = first !== undefined && "value" in first.books && first.books.isOfOne === true;
  const seen = isOfOne ? undefined : describeSurplus(orders, events);
  if (first === undefined || seen === undefined) return undefined;
  return {
    ...problem(first, "wrong-books", seen),
    truths: undefined,
    life: undefined,
    exchanges: orders.flatMap(exchangesOf),
  };
}
