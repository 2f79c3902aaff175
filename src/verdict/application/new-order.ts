import type { Operation } from "../../gateway/domain/order.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { AppMap } from "./app-map.ts";
import { MAX_RECIPIENTS } from "./map-orders.ts";
import type { ApplicationOrder } from "./placed-order.ts";

interface OrderOptions {
  readonly seed: number;
  /** Wall time. An application that remembers the orders of an earlier run with this seed must not meet them again. */
  readonly startedAt: Instant;
  /** Chooses the amount and the number. */
  readonly draw: number;
  /** How often the run has drawn it before: the same amount, text and last digits, and another number, which no application remembers. */
  readonly repeat?: number;
  readonly map: Pick<AppMap, "amounts" | "delivers" | "balance"> & Partial<Pick<AppMap, "order">>;
  readonly kind?: OrderKind;
  /** The first order of the same trial. */
  readonly first?: ApplicationOrder;
}

/** What is special about an order. */
export interface OrderKind {
  /** The first five digits of its number. */
  readonly prefix?: string;
  readonly message?: string;
  /** How the customer types the number: 0712 000 001 or +254712000001. */
  readonly typed?: "local" | "plus";
  /** What it has again of the trial's first order, which must be final before: nothing else tells the requests of the two apart. */
  readonly again?: "number" | "number and amount";
}

const MESSAGE = "Your order is on its way.";

export function newOrder(operation: Operation, options: OrderOptions): ApplicationOrder {
  const { seed, startedAt, draw, repeat = 0, map, first, kind: { message = MESSAGE, typed, again } = {} } = options;
  const numbers = numbersFor(operation, options);
  const isForSame = again === "number and amount" && first !== undefined;
  return {
    operation,
    ...numbers,
    ...(typed && { typedNumber: typeNumber(numbers.phoneNumber, typed) }),
    amount: isForSame ? first.amount : orderAmount(seed, draw, map),
    message,
    reference: `kredo-${startedAt}-${draw}${repeat === 0 ? "" : `-${repeat}`}`,
  };
}

type Numbers = Pick<ApplicationOrder, "phoneNumber" | "recipients">;

function numbersFor(operation: Operation, options: OrderOptions): Numbers {
  const { map, first, kind: { again } = {} } = options;
  if (again && first !== undefined) return { phoneNumber: first.phoneNumber, recipients: first.recipients };
  const count = (operation === "sms" && map.order?.sms?.recipients) || 1;
  const [phoneNumber = "", ...recipients] = Array.from({ length: count }, (_, nth) => ownNumber(options, nth));
  return { phoneNumber, ...(recipients.length > 0 && { recipients }) };
}

function ownNumber(options: OrderOptions, nth: number): string {
  const { seed, startedAt, draw, repeat = 0, kind: { prefix = "25471" } = {} } = options;
  return orderNumber(seed, startedAt, draw + repeat * SAME_DIGITS + nth * APART).replace(/^25471/, prefix);
}

/** Returns a number as a customer types it. */
export function typeNumber(phoneNumber: string, typed: "local" | "plus"): string {
  if (typed === "plus") return `+${phoneNumber}`;
  return `0${phoneNumber.slice(3, 6)} ${phoneNumber.slice(6, 9)} ${phoneNumber.slice(9)}`;
}

const NUMBERS = 10_000_000;

/** More than the draws of a run; numbers so far apart end in the same digits. */
const SAME_DIGITS = 10_000;

/** Between the numbers of one order: more than a run repeats a draw. */
const APART = NUMBERS / MAX_RECIPIENTS;

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
function orderAmount(seed: number, drawn: number, { amounts, delivers, balance }: OrderOptions["map"]): number {
  const draw = (seed % NUMBERS) * 31 + drawn * 617;
  const priced = balance && "pairs" in balance.price ? balance.price.pairs : undefined;
  const pairs = typeof delivers?.amount === "object" ? delivers.amount : priced;
  const sold = amounts ?? pairs?.map(([ordered]) => ordered);
  if (sold !== undefined) return sold[draw % sold.length] ?? MIN_AMOUNT;
  const amount = MIN_AMOUNT + (draw % (MAX_AMOUNT - MIN_AMOUNT));
  // A discount of 5 percent leaves no cents of a multiple of 20.
  return amount % 20 === 0 ? amount + 1 : amount;
}
