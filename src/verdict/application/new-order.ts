import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { AppMap } from "./app-map.ts";
import type { ApplicationOrder } from "./application.ts";

interface OrderOptions {
  readonly seed: number;
  /** Wall time. An application that remembers the orders of an earlier run with this seed must not meet them again. */
  readonly startedAt: Instant;
  readonly index: number;
  readonly map: Pick<AppMap, "amounts" | "delivers"> & Partial<Pick<AppMap, "order">>;
  readonly kind?: OrderKind;
}

/** What is special about an order. */
export interface OrderKind {
  /** The first five digits of its number. */
  readonly prefix?: string;
  readonly message?: string;
}

const MESSAGE = "Your order is on its way.";

export function newOrder(operation: Operation, options: OrderOptions): ApplicationOrder {
  const { seed, startedAt, index, map, kind: { prefix = "25471", message = MESSAGE } = {} } = options;
  const numberOf = (nth: number): string => orderNumber(seed, startedAt, index + nth * APART).replace(/^25471/, prefix);
  const recipients = (operation === "sms" && map.order?.sms?.recipients) || 1;
  return {
    operation,
    phoneNumber: numberOf(0),
    ...(recipients > 1 && { recipients: Array.from({ length: recipients - 1 }, (_, nth) => numberOf(nth + 1)) }),
    amount: orderAmount(seed, index, map),
    message,
    reference: `kredo-${startedAt}-${index}`,
  };
}

const NUMBERS = 10_000_000;

/** Between the numbers of one order: more than a run has orders. */
const APART = 500_000;

/**
 * Returns a unique phone number for each order of a run. The numbers are consecutive. The seed and the start of the run choose the first
 * one, so that two runs rarely share one.
 */
export function orderNumber(seed: number, startedAt: Instant, index: number): string {
  // Takes the remainders first, because the product of a large number would not be exact.
  const first = ((seed % NUMBERS) + (Math.floor(startedAt) % NUMBERS)) * 7_919;
  return `25471${String((first + index) % NUMBERS).padStart(7, "0")}`;
}

const MIN_AMOUNT = 21;
/** A hundred times as much is still below the gateway's limit, so that cents that are sent for shillings are delivered. */
const MAX_AMOUNT = 99;

/** Returns whole shillings that differ from order to order, so that rounding and mixed-up orders show. The charge always has cents. */
function orderAmount(seed: number, index: number, { amounts, delivers }: OrderOptions["map"]): number {
  const draw = (seed % NUMBERS) * 31 + index * 617;
  const pairs = typeof delivers?.amount === "object" ? delivers.amount : undefined;
  const sold = amounts ?? pairs?.map(([ordered]) => ordered);
  if (sold !== undefined) return sold[draw % sold.length] ?? MIN_AMOUNT;
  const amount = MIN_AMOUNT + (draw % (MAX_AMOUNT - MIN_AMOUNT));
  // A discount of 5 percent leaves no cents of a multiple of 20.
  return amount % 20 === 0 ? amount + 1 : amount;
}
