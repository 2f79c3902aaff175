import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { addKes, showKes, type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { ShownValue } from "../application/ask.ts";
import { isSumOf, type PricedOrder } from "../application/price.ts";
import type { Verdict } from "../verdict.ts";
import { judgeBooks } from "./judge-books.ts";
import type { OrderCheckId } from "./order-checks.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeFalseStatement } from "./order-truth.ts";
import { describeDebit, exchangesOf, problem } from "./order-verdict.ts";
import { costOfPart, isInPart, isPartWrong, nearestDebit } from "./several-requests.ts";

/** Returns whether the money that an application shows of an order is not what it should be, or not yet. */
export function isMoneyWrong(order: OrderEvidence, events: readonly AccountEvent[]): boolean {
  if (judgeBalance(order).length > 0 || judgeBooks(order, events).length > 0) return true;
  if (order.part !== undefined) return isPartWrong(order, order.part);
  return order.isPaidFirst === true && mayBeRefunded(order);
}

/** Checks what a paid or failed order took from the customer. Money reserved for an open order is no debit. */
export function judgeBalance(order: OrderEvidence): Verdict[] {
  const { debited, claimed, truth, asked, part } = order;
  const isOfSeveralSales = asked > 1 && truth.isSoldAgain;
  if (part !== undefined || "missing" in debited || isOfSeveralSales || isOwed(debited.value, [order]) !== false)
    return [];
  const isKept = claimed.claim === "failed" && truth.delivered.length === 0 && debited.value > 0;
  return [problem(order, isKept ? "not-refunded" : "wrong-debit")];
}

/** Returns the prices of paid orders, without those in part; undefined if an order is open, not known or without a price. */
function pricesOf(orders: readonly OrderEvidence[]): PricedOrder[] | undefined {
  const decided = orders.filter((order) => order.claimed.claim !== "failed" && !isInPart(order));
  const known = decided.flatMap(({ price, unrounded, claimed: { claim } }) =>
    claim === "paid" && price !== undefined ? [{ price, unrounded }] : [],
  );
  return known.length === decided.length ? known : undefined;
}

/** Returns what paid and failed orders take from a balance, without those in part. */
function expectedDebit(orders: readonly OrderEvidence[]): Kes | undefined {
  return pricesOf(orders)?.reduce((sum, { price }) => addKes(sum, price), NO_MONEY);
}

/** Returns whether a debit is what orders cost; undefined if that is not known. With `isSure`, those in part cost their share. */
export function isDebit(
  debited: Kes,
  orders: readonly OrderEvidence[],
  options: { readonly isSure?: boolean } = {},
): boolean | undefined {
  const [prices, expected] = [pricesOf(orders), expectedDebit(orders)];
  const nearest = nearestDebit(orders, debited, { ...options, expected });
  if (prices === undefined || expected === undefined || nearest === undefined) return undefined;
  return isSumOf(subtractKes(debited, subtractKes(nearest, expected)), prices);
}

/**
 * Returns whether a debit is what orders cost by what the application shows, or by what became of them; undefined if that is not known. An
 * order that is shown otherwise is wrong already, and its money is not wrong besides: what was delivered is paid for, and what was not is
 * given back.
 */
function isOwed(debited: Kes, orders: readonly OrderEvidence[]): boolean | undefined {
  const asShown = isDebit(debited, orders);
  if (asShown !== false) return asShown;
  const happened = orders.map((order) => {
    const { delivered, reversed } = order.truth;
    return reversed > 0 ? order : withClaim(order, delivered.length > 0 ? "paid" : "failed");
  });
  return isDebit(debited, happened) === true;
}

/** Checks the total that the customer paid for orders on one balance, which cannot be attributed to one of them. */
export function judgeTotal(all: readonly OrderEvidence[], debited: Kes): Verdict | undefined {
  const [parts, orders] = [all.filter(isInPart), all.filter((order) => !isInPart(order))];
  const [open, decided] = [orders.filter(isOpen), orders.filter((order) => !isOpen(order))];
  // An open order may be paid for or not, unless it was delivered and plain orders are paid first.
  const kept = open.filter(isPaidFor);
  const held = [...decided, ...kept.map(asPaid), ...parts];
  const expected = nearestDebit(all, debited, { expected: expectedDebit(held) });
  const [first] = all;
  if (expected === undefined || first === undefined || isOwed(debited, held) === true) return undefined;
  const isGivenBack = kept.length > 0 && debited < expected;
  if (open.length > 0 && !isGivenBack) return undefined;
  const failed = decided.filter(({ claimed: { claim } }) => claim === "failed");
  const ofFailed = failed.reduce((sum, { price }) => addKes(sum, price ?? NO_MONEY), NO_MONEY);
  const isKept = ofFailed > 0 && isDebit(debited, [...held, ...failed.map(asPaid)]) === true;
  const which = all.map(({ placed: { phoneNumber }, claimed: { said } }) => `${phoneNumber} ${JSON.stringify(said)}`);
  const id: OrderCheckId = isGivenBack ? "delivered-given-back" : isKept ? "not-refunded" : "wrong-debit";
  const seen = `the customer was ${describeDebit(debited)} instead of ${describeBound(all, debited < expected)}${showKes(expected)} for ${counted(all.length, "order")} on one balance: ${which.join(", ")}`;
  return { ...problem(first, id, seen), truths: undefined, exchanges: all.flatMap(exchangesOf) };
}

function describeBound(orders: readonly OrderEvidence[], isTooLittle: boolean): string {
  if (!orders.some(isInPart)) return "";
  return isTooLittle ? "at least " : "at most ";
}

function isPaidFor({ truth, isPaidFirst }: OrderEvidence): boolean {
  return isPaidFirst === true && truth.delivered.length > 0 && describeFalseStatement(truth) === undefined;
}

function isOpen({ claimed: { claim } }: OrderEvidence): boolean {
  return claim === "open";
}

function asPaid(order: OrderEvidence): OrderEvidence {
  return withClaim(order, "paid");
}

function withClaim(order: OrderEvidence, claim: "paid" | "failed"): OrderEvidence {
  return { ...order, claimed: { ...order.claimed, claim } };
}

/** Attributes a total to the orders on one balance, if it is that of those which are paid, open, or arrived in part. */
export function shareTotal(orders: readonly OrderEvidence[], debited: Kes): OrderEvidence[] {
  const held = orders.map((order) => (isOpen(order) ? asPaid(order) : order));
  if (isDebit(debited, held, { isSure: true }) !== true) return [...orders];
  return orders.map((order, index) => {
    const value = isInPart(order) ? costOfPart(order).middle : expectedDebit(held.slice(index, index + 1));
    return value === undefined ? order : { ...order, debited: { value } };
  });
}

/** Returns whether an open order that was delivered is not paid for: not yet, or because the money was given back. */
export function mayBeRefunded({ claimed, truth, debited, price = NO_MONEY }: OrderEvidence): boolean {
  const isDelivered = truth.delivered.length > 0 && describeFalseStatement(truth) === undefined;
  return claimed.claim === "open" && isDelivered && price > 0 && "value" in debited && debited.value <= 0;
}

/** Returns what was taken from a balance between two questions for it. */
export function debitOf(before: ShownValue<Kes> | undefined, after: ShownValue<Kes> | undefined): ShownValue<Kes> {
  if (before === undefined || after === undefined) return { missing: "it was not asked" };
  if ("missing" in before) return before;
  return "missing" in after ? after : { value: subtractKes(before.value, after.value) };
}
