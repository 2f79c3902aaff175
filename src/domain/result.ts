import { formatKes } from "./kes.ts";
import type { Order } from "./order.ts";

/** The values of `result_code`; the document names only 200, the others are guesses. */
export interface ResultCodes {
  readonly success: number;
  readonly failed: number;
  readonly rejected: number;
  readonly not_on_network: number;
  readonly timed_out: number;
  readonly insufficient_funds: number;
}

/** The carrier's final result of a transaction. */
export interface CarrierResult {
  readonly outcome: keyof ResultCodes;
  readonly resultCode: number;
  readonly resultDesc: string;
}

/** Builds a carrier's result with the callback's wording. The sentences are guesses: the document only says what they express (2.4). */
export function carrierResult(order: Order, outcome: keyof ResultCodes, codes: ResultCodes): CarrierResult {
  return {
    outcome,
    resultCode: codes[outcome],
    resultDesc: order.operation === "airtime" ? describeTopUp(order, outcome) : REPORTS[outcome],
  };
}

function describeTopUp(order: Order & { operation: "airtime" }, outcome: keyof ResultCodes): string {
  const topUp = `Airtime top-up of KES ${formatKes(order.amount)} to ${order.phoneNumber}`;
  return outcome === "success" ? `${topUp} was successful.` : `${topUp} failed: ${TOP_UP_FAILURES[outcome]}.`;
}

const TOP_UP_FAILURES: Readonly<Record<Exclude<keyof ResultCodes, "success">, string>> = {
  failed: "the carrier could not complete it",
  rejected: "the carrier rejected it",
  not_on_network: "the number is not on this network",
  timed_out: "the carrier did not answer in time",
  insufficient_funds: "insufficient funds",
};

/** Delivered, rejected and failed are the document's own terms (2.4). */
const REPORTS: Readonly<Record<keyof ResultCodes, string>> = {
  success: "Message delivered.",
  failed: "Message failed.",
  rejected: "Message rejected.",
  not_on_network: "Message failed: the number is not on this network.",
  timed_out: "Message failed: the carrier did not answer in time.",
  insufficient_funds: "Message failed: insufficient funds.",
};
