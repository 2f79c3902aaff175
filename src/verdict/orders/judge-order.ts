import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { receiverStatus } from "../../gateway/account/readings/callback.ts";
import { isUnread } from "../../gateway/account/readings/requests-of-orders.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { addKes, showKes, type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { ShownValue } from "../application/ask.ts";
import { isSumOf, type PricedOrder } from "../application/price.ts";
import type { Finding } from "../checks/finding.ts";
import { followsFrom, type Verdict } from "../verdict.ts";
import { MISLED_ID, moneyRank, type OrderCheckId } from "./order-checks.ts";
import { describeDifference } from "./delivery.ts";
import { judgeBooks } from "./judge-books.ts";
import { describeFalseStatement, type OrderTruth } from "./order-truth.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeDebit, describeGateway, exchangesOf, problem, verdict } from "./order-verdict.ts";
import { costOfPart, findingsOf, isInPart, isPartWrong, judgePart, nearestDebit } from "./several-requests.ts";

/**
 * Judges one order. The first verdict is that of the order. If several things are wrong, it is the one with the most money at risk, and the
 * others follow from it; lesser problems of the order's traffic come after it.
 */
export function judgeOrder(order: OrderEvidence, events: readonly AccountEvent[]): Verdict[] {
  // The application's own rate limit hides what it does, but not what the gateway sold.
  const isLimited = whatIsLimited(order) !== undefined;
  const own = findingsOf(order)
    .filter(({ id }) => !isLimited || id === "callback-rate-limited")
    .map(verdictOfFinding);
  const plain = judgeOutcome(order);
  const defects = [
    ...[plain].filter(({ is }) => is === "defect"),
    ...judgeDelivery(order),
    ...judgeTypedNumber(order),
    ...(isLimited ? [] : [...judgeBalance(order), ...judgeBooks(order, events)]),
  ];
  const known = new Set(defects.map(({ id }) => id));
  const byMoney = defects.toSorted((one, other) => moneyRank(one.id) - moneyRank(other.id));
  const all = [
    ...byMoney.map((defect) => withTraffic(defect, own)),
    ...own.filter(({ is, id }) => is === "defect" && !known.has(id)),
  ];
  const lesser = own.filter(({ is }) => is !== "defect");
  const [first = plain, ...others] = all;
  // What loses money with an order that ended wrong, or that the trial placed twice, follows from that. What it costs does not.
  const isCause = first.is === "defect" ? known.has(first.id) : first.id === "ordered-twice";
  const [following, apart] = [lesser.filter(({ is }) => is === "risk"), lesser.filter(({ is }) => is !== "risk")];
  if (isCause) return [{ ...first, follows: followsFrom([...others, ...following]) }, ...apart];
  // A defect of the traffic says nothing of what became of the order.
  return [...all, plain, ...lesser];
}

/** The traffic may show the same defect, and then says when and why. */
function withTraffic(defect: Verdict, own: readonly Verdict[]): Verdict {
  const shown = own.find(({ id }) => id === defect.id);
  return shown === undefined ? defect : { ...defect, seen: `${defect.seen}; ${shown.seen.replace(/\.$/, "")}` };
}

/** Compares what the gateway did for one order with what the application says, and what it could know. */
function judgeOutcome(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  if (claimed.claim === "no answer" && claimed.isEnded === true) return problem(order, "stops-answering", claimed.said);
  if (truth.isSoldTwice && describeFalseStatement(truth) === undefined) return problem(order, "sold-twice");
  const limited = whatIsLimited(order);
  if (limited !== undefined)
    return verdict(order, "not assessed", `the application answered ${limited} with 429; raise that limit for tests`);
  if (truth.waitsForever) return problem(order, "waits-forever");
  return claimed.claim === "no answer" ? problem(order, "no-answer", claimed.said) : judgeAnswer(order);
}

/** Judges an order of which the application says something, or which cannot be asked about. */
function judgeAnswer(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  const lie = describeFalseStatement(truth);
  if (truth.isSoldAgain && order.isOneReference === true && lie === undefined) return problem(order, "ordered-twice");
  if (claimed.claim === "not asked") return verdict(order, "not assessed", claimed.said);
  if (claimed.claim === "gone") return problem(order, "lost-by-restart");
  return lie === undefined ? judgeClaim(order) : { ...verdict(order, "open", lie), id: MISLED_ID };
}

/** Compares what the application says with what the gateway did, if that was at most one order. */
function judgeClaim(order: OrderEvidence): Verdict {
  const { truth, claimed } = order;
  // Whether a success that was taken back still counts is for a person to say; a failure is what the gateway said last.
  if (isReversed(truth)) return verdict(order, claimed.claim === "failed" ? "right" : "open");
  if (order.part !== undefined) return judgePart(order, order.part);
  if (claimed.claim === "open") return judgeOpen(order);
  if ((claimed.claim === "paid") === truth.delivered.length > 0) return verdict(order, "right");
  if (claimed.claim === "failed") return problem(order, "delivered-shown-failed");
  return problem(order, truth.neverSettles ? "paid-too-early" : "paid-never-delivered");
}

function judgeOpen(order: OrderEvidence): Verdict {
  const { truth, isPaidFirst, claimed } = order;
  if (isPaidFirst === true && mayBeRefunded(order)) return problem(order, "delivered-given-back");
  if (!truth.isNotified) return verdict(order, "open");
  if (truth.accepted === 0)
    return { ...problem(order, "refused-left-open"), is: isAbandoned(order) ? "defect" : "risk" };
  if (truth.delivered.length === 0 && REVIEW_WORDS.test(claimed.said)) return problem(order, "held-after-failure");
  // Without a restart, a plain order is right: it was kept too late.
  return problem(order, order.wasToldBeforeRestart === true ? "callback-not-kept" : "outcome-lost");
}

/** Returns whether the application holds the customer's money for an order that it does not try again, and that nobody looks at. */
function isAbandoned({ truth, debited, claimed, mayRetry = true }: OrderEvidence): boolean {
  const isDefinite = truth.readings.at(-1)?.answer.says === "refused";
  return !mayRetry && isDefinite && !REVIEW_WORDS.test(claimed.said) && "value" in debited && debited.value > 0;
}

/** Returns whether an open order that was delivered is not paid for: not yet, or because the money was given back. */
export function mayBeRefunded({ claimed, truth, debited, price = NO_MONEY }: OrderEvidence): boolean {
  const isDelivered = truth.delivered.length > 0 && describeFalseStatement(truth) === undefined;
  return claimed.claim === "open" && isDelivered && price > 0 && "value" in debited && debited.value <= 0;
}

/** Words by which applications say that a person has to look at an order, which they only know to ask for if they were told. */
const REVIEW_WORDS = /review|manual|investigat|attention|on.?hold|\bheld\b|not.?sent|escalat/i;

function isReversed({ delivered, reversed }: OrderTruth): boolean {
  return delivered.length === 0 && reversed > 0;
}

/** Returns what the application answered with Too Many Requests, which is no defect. */
function whatIsLimited({ truth, claimed }: OrderEvidence): string | undefined {
  if (truth.callbacks.some((attempted) => receiverStatus(attempted) === 429)) return "a callback";
  return claimed.isLimited === true ? "a question about the order" : undefined;
}

/** Checks that a number arrives in the gateway's form, if the application took an order with one in another. */
function judgeTypedNumber(order: OrderEvidence): Verdict[] {
  const { typedNumber, reply } = order.placed;
  const isTaken = reply.kind !== "answered" || reply.status < 400;
  // Whatever refuses an order that could be read, such as a scenario, has nothing against the form of its number.
  const isRefused = order.truth.requests.some(
    (event) => isUnread(event) && "validationErrors" in event && event.validationErrors?.["phone_number"] !== undefined,
  );
  if (typedNumber === undefined || !isTaken || !isRefused) return [];
  const seen = `the gateway refused the number of an order for ${typedNumber} with 422; ${describeGateway(order)}`;
  return [problem(order, "typed-number-passed-on", seen)];
}

/** Checks that what was delivered is what was ordered. */
function judgeDelivery(order: OrderEvidence): Verdict[] {
  const { difference } = order;
  return difference === undefined
    ? []
    : [problem(order, "delivered-something-else", `${describeDifference(difference)}; ${describeGateway(order)}`)];
}

/** Returns whether the money that an application shows of an order is not what it should be, or not yet. */
export function isMoneyWrong(order: OrderEvidence, events: readonly AccountEvent[]): boolean {
  if (judgeBalance(order).length > 0 || judgeBooks(order, events).length > 0) return true;
  if (order.part !== undefined) return isPartWrong(order, order.part);
  return order.isPaidFirst === true && mayBeRefunded(order);
}

/** Checks what a paid or failed order took from the customer. Money reserved for an open order is no debit. */
function judgeBalance(order: OrderEvidence): Verdict[] {
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

export function verdictOfFinding(finding: Finding): Verdict {
  const { id, severity, title, seen, why, repair, assumes, count, exchanges } = finding;
  const proof = exchanges.map(({ requestId, ...same }) => ({ ...same, request_id: requestId }));
  return { is: severity, id, title, seen, why, repair, assumes, count, exchanges: proof, follows: [] };
}

/** Returns what was taken from a balance between two questions for it. */
export function debitOf(before: ShownValue<Kes> | undefined, after: ShownValue<Kes> | undefined): ShownValue<Kes> {
  if (before === undefined || after === undefined) return { missing: "it was not asked" };
  if ("missing" in before) return before;
  return "missing" in after ? after : { value: subtractKes(before.value, after.value) };
}
