import { maskPhoneNumbers } from "../../domain/carrier.ts";
import { showKes } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import { SECOND } from "../../domain/time.ts";
import type { Breakage } from "../../scenario/applied-rules.ts";
import type { OrderReading } from "./order.ts";
import { counted } from "../../domain/counted.ts";

/** Says what the backend can know: "delivered", "accepted, not the result", "delivered, then failed", "delivered, then reversed". */
export function describeKnown(reading: OrderReading): string {
  const { known, answered, held, told } = reading;
  const mistold = describeMistold(reading);
  if (TWO_RESULTS.has(known)) return resultsOf(told);
  if (mistold !== undefined) return `${answered.by === "gateway" ? "accepted" : "nothing"}; ${mistold}`;
  if (known === "refused" && answered.by === "gateway") return `refused with ${answered.status}`;
  if (known === "nothing" && answered.by === "scenario") return `${answered.status}, which is not the gateway's answer`;
  return known === "accepted" && held === 0 ? "accepted, not the result" : known;
}

/** Told by two callbacks, usually. */
const TWO_RESULTS: ReadonlySet<OrderReading["known"]> = new Set(["both", "reversed"]);

/** Says how callbacks that were acknowledged failed to tell the result; undefined if they did not fail. */
export function describeMistold({ known, told }: Pick<OrderReading, "known" | "told">): string | undefined {
  return known === "both" ? `told ${resultsOf(told)}` : MISTOLD[known];
}

export const MISTOLD: Readonly<Partial<Record<OrderReading["known"], string>>> = {
  unreadable: "told something unreadable",
  wrong_type: "told with the wrong content type",
  other_id: "told under an id it never got",
};

function resultsOf(told: OrderReading["told"]): string {
  return [...new Set(told.filter((one) => one === "delivered" || one === "failed" || one === "reversed"))].join(
    ", then ",
  );
}

/** Says what an order asks for, without its message, which may be private: "254712345678 KES 50". */
export function describeOrder(order: Order): string {
  return order.operation === "airtime"
    ? `${order.phoneNumber} KES ${showKes(order.amount)}`
    : `${order.phoneNumber} from ${order.senderId}`;
}

/** Says it in a sentence, without the full number either: "KES 50 of airtime for 2547•••". */
export function describePrivately(order: Order): string {
  const recipient = maskPhoneNumbers(order.phoneNumber);
  return order.operation === "airtime"
    ? `KES ${showKes(order.amount)} of airtime for ${recipient}`
    : `An SMS of ${counted(order.message.length, "character")} from ${order.senderId} to ${recipient}`;
}

/** Says what is delivered: "KES 50", or the text of a message. */
export function describeContent(order: Order): string {
  return order.operation === "airtime" ? `KES ${showKes(order.amount)}` : order.message;
}

/** "part 1", "parts 1, 3" */
export function describeParts(parts: readonly number[]): string {
  return `${parts.length === 1 ? "part" : "parts"} ${parts.join(", ")}`;
}

/** Says how a client failed to get the gateway's answer. */
export function describeLoss({ answered }: Pick<OrderReading, "answered">): string | undefined {
  if (answered.by !== "nobody") return "something else answered for the gateway";
  const { because } = answered;
  if (typeof because === "object") return `your client left after ${(because.waited / SECOND).toFixed(1)} s`;
  return because && BREAKAGES[because];
}

const BREAKAGES: Readonly<Record<Breakage, string>> = {
  reset: "connection reset",
  empty: "connection closed without an answer",
  hang: "the answer never came",
  truncate: "the answer was cut in half",
  garbage: "the answer was not HTTP",
  drip: "the answer came byte by byte and had no end",
};
