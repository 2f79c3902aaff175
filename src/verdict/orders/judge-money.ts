import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { addKes, cents, showKes, type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { AskedValue } from "../application/ask.ts";
import { boundsOf, isSumOf, type PricedOrder } from "../application/price.ts";
import type { Verdict } from "../verdict.ts";
import { judgeBooks } from "./judge-books.ts";
import type { OrderCheckId } from "./order-checks.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeFalseStatement, type OrderTruth } from "./order-truth.ts";
import { describeDebit, describeGateway, exchangesOf, problem } from "./order-verdict.ts";
import { costOfPart, isInPart, isPartWrong, pricedOf } from "./several-requests.ts";

/** Returns whether the money that an application shows of an order is not what it should be, or not yet. */
export function isMoneyWrong(order: OrderEvidence, events: readonly AccountEvent[]): boolean {
  if (judgeBalance(order).length > 0 || judgeBooks(order, events).length > 0) return true;
  if (order.part !== undefined) return isPartWrong(order, order.part);
  return order.isPaidFirst === true && mayBeRefunded(order);
}

/** Checks what an order took from the customer. Money that is held for an open order is no debit. */
export function judgeBalance(order: OrderEvidence): Verdict[] {
  const { debited, claimed, truth } = order;
  if ("missing" in debited) return [unassessed(order, `the customer's balance tells nothing: ${debited.missing}`)];
  if ("unasked" in debited || !isJudgedAlone(order) || isOwed(debited.value, [order]) !== false) return [];
  if (debited.value > 0 && isHoldUnknown(order))
    return [unassessed(order, `${describeGateway(order)}; ${HOLD_UNKNOWN}`)];
  const isKept = claimed.claim === "failed" && truth.delivered.length === 0 && debited.value > 0;
  return [problem(order, isKept ? "not-refunded" : "wrong-debit")];
}

/** What arrived in part is judged by its part once it is decided, and what was sold twice because it was placed twice is not known. */
function isJudgedAlone(order: OrderEvidence): boolean {
  if (order.asked > 1 && order.truth.isSoldAgain) return false;
  return !isInPart(order) || isOpen(order);
}

function unassessed(order: OrderEvidence, seen: string): Verdict {
  return { ...problem(order, "wrong-debit", seen), is: "not assessed" };
}

/** An application may hold more than the price, such as a deposit, which a plain order shows. */
function isHoldUnknown(order: OrderEvidence): boolean {
  return isOpen(order) && order.isPaidFirst === undefined;
}

const HOLD_UNKNOWN = "how much the application holds for an open order was not seen with a plain one";

/** Returns the prices of paid orders; undefined if it is not known of an order whether it is paid. */
function pricesOf(orders: readonly OrderEvidence[]): PricedOrder[] | undefined {
  const decided = orders.filter((order) => order.claimed.claim !== "failed" && hasOnePrice(order));
  const known = decided.flatMap(({ price, unrounded, claimed: { claim } }) =>
    claim === "paid" && price !== undefined ? [{ price, unrounded }] : [],
  );
  return known.length === decided.length ? known : undefined;
}

interface RangeOptions {
  /** Whether orders in part cost their share. */
  readonly isSure?: boolean;
  /** Whether open orders that were delivered must be paid for, where plain ones are paid first. */
  readonly isKept?: boolean;
}

interface Range {
  readonly from: Kes;
  readonly to: number;
}

/** What an order may cost; undefined if it costs its price, or nothing. */
function rangeOf(order: OrderEvidence, { isSure = false, isKept = false }: RangeOptions = {}): Range | undefined {
  if (isInPart(order) && isSure) return costOfPart(order);
  if (isOpen(order)) return rangeOfOpen(order, isKept);
  return isInPart(order) || isUnpriced(order) ? { from: NO_MONEY, to: rangeOfPrice(order).to } : undefined;
}

function rangeOfOpen(order: OrderEvidence, isKept: boolean): Range {
  const { mostHeld = Infinity, asked } = order;
  const { from, to } = rangeOfPrice(order);
  return {
    from: isKept && isPaidFor(order) ? from : NO_MONEY,
    to: Math.max(mostHeld, Number.isFinite(to) ? to : 0) * asked,
  };
}

function rangeOfPrice(order: OrderEvidence): Range {
  return order.price === undefined ? { from: NO_MONEY, to: Infinity } : boundsOf(pricedOf(order));
}

/** What orders cost in sum: the prices of those that are paid, and between which amounts the others may cost. */
interface Cost {
  readonly prices: readonly PricedOrder[];
  readonly from: number;
  readonly to: number;
}

function costOf(orders: readonly OrderEvidence[], options: RangeOptions): Cost | undefined {
  const prices = pricesOf(orders);
  const ranges = orders.flatMap((order) => rangeOf(order, options) ?? []);
  return (
    prices && {
      prices,
      from: ranges.reduce((sum, { from }) => sum + from, 0),
      to: ranges.reduce((sum, { to }) => sum + to, 0),
    }
  );
}

function sumOf(prices: readonly PricedOrder[]): Kes {
  return prices.reduce((sum, { price }) => addKes(sum, price), NO_MONEY);
}

/** Returns whether a debit is what orders cost; undefined if that is not known. */
export function isDebit(
  debited: Kes,
  orders: readonly OrderEvidence[],
  options: RangeOptions = {},
): boolean | undefined {
  const cost = costOf(orders, options);
  if (cost === undefined) return undefined;
  const { prices, from, to } = cost;
  const besides = Math.min(Math.max(debited - sumOf(prices), from), to);
  return isSumOf(cents(debited - besides), prices);
}

/**
 * Returns whether a debit is what orders cost by what the application shows, or by what became of them; undefined if that is not known. An
 * order that is shown otherwise is wrong already, and its money is not wrong besides: what was delivered is paid for, and what was not is
 * given back.
 */
function isOwed(debited: Kes, orders: readonly OrderEvidence[], options: RangeOptions = {}): boolean | undefined {
  const asShown = isDebit(debited, orders, options);
  if (asShown !== false) return asShown;
  const happened = orders.map((order) => {
    const { delivered, reversed } = order.truth;
    return reversed > 0 || isOpen(order) ? order : withClaim(order, delivered.length > 0 ? "paid" : "failed");
  });
  return isDebit(debited, happened, options) === true;
}

/** What orders that are paid from one balance took from it. */
export interface SharedBalance {
  readonly orders: readonly OrderEvidence[];
  /** What is wrong with the sum, and cannot be attributed to a single order. */
  readonly imbalance: Verdict | undefined;
  readonly total: AskedValue<Kes>;
}

/**
 * Judges orders that are paid from one balance: each by its share, if that is sure, and what is wrong with the sum. A balance that
 * tells nothing leaves all of them unassessed.
 */
export function judgeShared(orders: readonly OrderEvidence[], total: AskedValue<Kes>): SharedBalance {
  const withDebit = (debited: AskedValue<Kes>): OrderEvidence[] => orders.map((order) => ({ ...order, debited }));
  const of = { imbalance: undefined, total };
  if (!("value" in total)) return { ...of, orders: withDebit(total) };
  const imbalance = judgeTotal(orders, total.value);
  if (imbalance?.is === "not assessed") return { ...of, orders: withDebit({ missing: imbalance.seen }) };
  const shared = withDebit(NOT_ITS_OWN);
  const apart = shareTotal(shared, total.value);
  // What a plain order did not show to cost, the map does not say either, and the report says that it was not looked at.
  const isSaid = apart !== undefined || imbalance !== undefined || orders.some(isUnpriced) || orders.every(hasOnePrice);
  return { ...of, orders: apart ?? (isSaid ? shared : shared.map(withoutSum)), imbalance };
}

function withoutSum(order: OrderEvidence): OrderEvidence {
  const { claim } = order.claimed;
  const isDecided = claim === "paid" || claim === "failed";
  return isDecided && hasOnePrice(order) ? { ...order, debited: NOT_APART } : order;
}

/** Returns whether an order costs its price, or nothing. */
function hasOnePrice(order: OrderEvidence): boolean {
  return rangeOf(order) === undefined;
}

/** The balance of an order that shares it. */
export const NOT_ITS_OWN = { unasked: "the balance is shared with another order" };

/** Its sum is as it may be. That says nothing of an order that costs one amount, beside another that may have cost more or less. */
const NOT_APART = { missing: "it is shared with an order of which it may have taken more or less" };

/** Checks the total that the customer paid for orders on one balance, which cannot be attributed to one of them. */
export function judgeTotal(all: readonly OrderEvidence[], debited: Kes): Verdict | undefined {
  const [options, [first]] = [{ isKept: true }, all];
  const cost = costOf(all, options);
  if (first === undefined || cost === undefined || isOwed(debited, all, options) !== false) return undefined;
  const [least, most] = [sumOf(cost.prices) + cost.from, sumOf(cost.prices) + cost.to];
  const isTooLittle = debited < least;
  const which = all.map(({ placed: { phoneNumber }, claimed: { said } }) => `${phoneNumber} ${JSON.stringify(said)}`);
  const bound = least === most ? "" : isTooLittle ? "at least " : "at most ";
  const seen = `the customer was ${describeDebit(debited)} instead of ${bound}${showKes(cents(isTooLittle ? least : most))} for ${counted(all.length, "order")} on one balance: ${which.join(", ")}`;
  const together = { truths: undefined, life: undefined, exchanges: all.flatMap(exchangesOf) };
  if (!isTooLittle && all.some(isHoldUnknown)) return { ...unassessed(first, `${seen}; ${HOLD_UNKNOWN}`), ...together };
  return { ...problem(first, defectOfTotal(all, debited, isTooLittle), seen), ...together };
}

function defectOfTotal(all: readonly OrderEvidence[], debited: Kes, isTooLittle: boolean): OrderCheckId {
  if (isTooLittle && all.some((order) => isOpen(order) && isPaidFor(order))) return "delivered-given-back";
  const paid = all.map((order) => (order.claimed.claim === "failed" ? asPaid(withHeld(order)) : order));
  return !isTooLittle && isDebit(debited, paid, { isKept: true }) === true ? "not-refunded" : "wrong-debit";
}

/** By what the gateway charged, a failed order costs nothing: what may be kept is what was held. */
function withHeld(order: OrderEvidence): OrderEvidence {
  return order.price === NO_MONEY ? { ...order, price: order.mostHeld, unrounded: undefined } : order;
}

function isPaidFor({ truth, isPaidFirst, part }: OrderEvidence): boolean {
  return isPaidFirst === true && part === undefined && isKnownAsDelivered(truth);
}

/** Returns whether an order was delivered, and the gateway said nothing else of it. */
function isKnownAsDelivered(truth: OrderTruth): boolean {
  return truth.delivered.length > 0 && describeFalseStatement(truth) === undefined;
}

function isOpen({ claimed: { claim } }: OrderEvidence): boolean {
  return claim === "open";
}

export function asPaid(order: OrderEvidence): OrderEvidence {
  return withClaim(order, "paid");
}

function asFailed(order: OrderEvidence): OrderEvidence {
  return withClaim(order, "failed");
}

function withClaim(order: OrderEvidence, claim: "paid" | "failed"): OrderEvidence {
  return { ...order, claimed: { ...order.claimed, claim } };
}

/**
 * Attributes a total to the orders on one balance, if it is that of those which are paid, arrived in part, or are open: as if all of these were
 * paid for, took what is held for them, or nothing. Undefined if it is none of that.
 */
export function shareTotal(orders: readonly OrderEvidence[], debited: Kes): readonly OrderEvidence[] | undefined {
  const ofOpen = [asPaid, (order: OrderEvidence) => asPaid(withHeld(order)), asFailed];
  const decided = ofOpen.map((decide) => orders.map((order) => (isOpen(order) ? decide(order) : order)));
  const fitting = decided.find((all) => !all.some(isUnpriced) && isDebit(debited, all, { isSure: true }) === true);
  return fitting?.map((order, index) => {
    const value = isInPart(order) ? costOfPart(order).middle : sumOf(pricesOf([order]) ?? []);
    return { ...(orders[index] ?? order), debited: { value } };
  });
}

function isUnpriced({ claimed: { claim }, price }: OrderEvidence): boolean {
  return claim === "paid" && price === undefined;
}

/** Returns whether an open order that was delivered is not paid for: not yet, or because the money was given back. */
export function mayBeRefunded({ claimed, truth, debited, price = NO_MONEY }: OrderEvidence): boolean {
  return claimed.claim === "open" && isKnownAsDelivered(truth) && price > 0 && "value" in debited && debited.value <= 0;
}

/** Returns what was taken from a balance between two questions for it. */
export function debitOf(before: AskedValue<Kes> | undefined, after: AskedValue<Kes> | undefined): AskedValue<Kes> {
  if (before === undefined || after === undefined) return { unasked: "it goes on from the trial before" };
  if (!("value" in before)) return before;
  return "value" in after ? { value: subtractKes(before.value, after.value) } : after;
}
