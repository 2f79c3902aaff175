import { cents, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { boundsOf, type PricedOrder } from "../application/price.ts";
import type { Finding } from "../checks/finding.ts";
import type { Verdict } from "../verdict.ts";
import type { Part } from "./delivery.ts";
import type { OrderCheckId } from "./order-checks.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { describeGateway, problem, verdict } from "./order-verdict.ts";

/** Returns whether an order takes several requests by design. */
export function isOfSeveral({ requests = 1, placed }: Pick<OrderEvidence, "requests" | "placed">): boolean {
  return requests > 1 || placed.recipients !== undefined;
}

export function isInPart({ part }: Pick<OrderEvidence, "part">): boolean {
  return part !== undefined;
}

/**
 * Judges an order of which a part arrived. No word says how an application shows that, so that only its money convicts it: all of it kept, or
 * all of it given back. What lies between is for a person to look at, unless it is what the part costs.
 */
export function judgePart(order: OrderEvidence, part: Part): Verdict {
  const { debited, price = NO_MONEY, claimed, truth } = order;
  const seen = `${part.words}; ${describeGateway(order)}`;
  if (isLeftOut(order, part)) return problem(order, "delivered-something-else", seen);
  // Whether a success that was taken back is paid for is for a person to say, too.
  if (!("value" in debited) || price === NO_MONEY || truth.reversed > 0) return verdict(order, "open", seen);
  const wrong = wrongWith(order, part, debited.value);
  if (wrong !== undefined) return problem(order, wrong, seen);
  const { from, to } = costOfPart(order);
  const isExact = claimed.claim !== "open" && debited.value >= from && debited.value <= to;
  return verdict(order, isExact ? "right" : "open", seen);
}

/** Returns whether the application itself left out the rest of a text that it shows as paid: none of its requests failed. */
function isLeftOut({ claimed, truth }: OrderEvidence, { of }: Part): boolean {
  return of === "text" && claimed.claim === "paid" && truth.readings.every((one) => one.delivered !== undefined);
}

function wrongWith(order: OrderEvidence, { of, least, most }: Part, debited: Kes): OrderCheckId | undefined {
  if (debited <= 0) return least > 0 ? wrongIfGivenBack(order) : undefined;
  const isKept = debited >= boundsOf(pricedOf(order)).from && debited > costOfPart(order).to;
  return isKept && most < 1 ? wrongIfKept(order, of) : undefined;
}

/** Returns whether the money of an order in part convicts it, or will only be judged once a plain order has shown what it costs. */
export function isPartWrong(order: OrderEvidence, part: Part): boolean {
  const isUnpriced = order.price === undefined && "value" in order.debited;
  return isUnpriced || judgePart(order, part).is === "defect";
}

export function pricedOf({ price = NO_MONEY, unrounded }: OrderEvidence): PricedOrder {
  return { price, unrounded };
}

function wrongIfGivenBack({ claimed: { claim }, isPaidFirst }: OrderEvidence): OrderCheckId | undefined {
  if (claim === "failed") return "delivered-shown-failed";
  return claim === "open" && isPaidFirst === true ? "delivered-given-back" : undefined;
}

function wrongIfKept({ claimed: { claim }, truth }: OrderEvidence, of: Part["of"]): OrderCheckId | undefined {
  if (claim === "failed") return truth.isNotified ? "not-refunded" : undefined;
  if (claim !== "paid") return undefined;
  if (truth.readings.some(({ isStuck }) => isStuck)) return "paid-too-early";
  return of === "recipients" ? "paid-never-delivered" : "delivered-something-else";
}

/** What a part of an order costs, in whole cents. */
interface CostOfPart {
  readonly from: Kes;
  readonly middle: Kes;
  readonly to: Kes;
}

export function costOfPart(order: OrderEvidence): CostOfPart {
  const { part: { least, most } = { least: 0, most: 0 }, price = NO_MONEY } = order;
  return { ...boundsOf(pricedOf(order), least, most), middle: cents(Math.round((price * (least + most)) / 2)) };
}

/** Repetitions that traffic alone would take for a second sale. */
const REPETITIONS = ["sold-twice", "repeated-order", "repeated-at-once"];

/** Returns the findings about an order. Two equal requests are no repetition where it takes as many, and sells no more than was ordered. */
export function findingsOf({ findings, truth, asked, requests = 1 }: OrderEvidence): readonly Finding[] {
  const parts = Math.max(requests, Math.floor(truth.sold / asked));
  if (parts === 1 || truth.isSoldTwice) return findings;
  const isPlain = truth.asked <= parts * asked;
  return findings.filter(({ id }) => !REPETITIONS.includes(id) || (id !== "sold-twice" && !isPlain));
}

/** Returns whether a finding takes two orders of a trial for one and its repetition. What is sent again of one, its own findings tell. */
export function isBetweenOrders({ id, exchanges }: Finding, orders: readonly OrderEvidence[]): boolean {
  const known = new Set(orders.flatMap(({ truth }) => truth.requests.map(({ requestId }) => requestId)));
  return REPETITIONS.includes(id) && exchanges.every(({ requestId }) => known.has(requestId));
}

/** What the gateway charged for a request, and what the books have of it in sum. */
export interface BookedRequest {
  readonly charge: Kes;
  readonly sum: Kes;
}

/** Returns whether the books have what a sale was charged, however its entries are divided. */
export function isBookedInSum(order: OrderEvidence, requests: readonly BookedRequest[]): boolean {
  return isOfSeveral(order) && requests.reduce((left, { charge, sum }) => left + charge - sum, 0) === 0;
}
