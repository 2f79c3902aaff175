import { maskPhoneNumbers } from "../../domain/carrier.ts";
import { counted } from "../../domain/counted.ts";
import { showKes } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import { type RequestReading, resultsIn, type CallbackMeaning } from "./request.ts";

/**
 * Says what the backend can know: "nothing", "accepted", "refused with 402", "delivered", "delivered, then failed", "unreadable: not JSON",
 * "unknown id", "delivered, under an id it never got".
 */
export function describeKnown({
  known,
  answer,
  acknowledged,
}: Pick<RequestReading, "known" | "answer" | "acknowledged">): string {
  switch (known) {
    case "refused":
      return `refused with ${answer.says === "refused" ? answer.code : ""}`;
    case "unknown_id":
      return "unknown id";
    case "unreadable":
      return `unreadable: ${acknowledged.findLast((one) => one.says === "unreadable")?.why}`;
    case "never_received":
      return `${resultsIn(acknowledged).join(", then ")}, under an id it never got`;
    default:
      return known.replaceAll("_then_", ", then ");
  }
}

/** Says what one callback told: "delivered", "unreadable: not JSON", "unknown id". */
export function describeMeaning(meaning: CallbackMeaning): string {
  return meaning.says === "unreadable" ? `unreadable: ${meaning.why}` : meaning.says.replace("_", " ");
}

/** Says it with the code of its result: "delivered, result 200". */
export function describeMeaningWithCode(meaning: CallbackMeaning): string {
  return "code" in meaning ? `${meaning.says}, result ${meaning.code}` : describeMeaning(meaning);
}

/** Says that the gateway accepted a request and answered as if it had not; undefined if it did not. */
export function describeMisleadingAnswer({
  isMisled,
  answer,
}: Pick<RequestReading, "isMisled" | "answer">): string | undefined {
  if (!isMisled || answer.says !== "refused") return undefined;
  return `the gateway accepted it and answered with a refusal (${answer.code}), so sending it again, showing it as failed and giving the money back are all right`;
}

/**
 * Says that the first result which the callbacks of a request told is the opposite of what became of it; undefined if it is not. A backend
 * that keeps to the first result is then right.
 */
export function describeFalseResult({
  acknowledged,
  delivered,
  isSold,
  refunded,
}: Pick<RequestReading, "acknowledged" | "delivered" | "isSold" | "refunded">): string | undefined {
  const [first] = resultsIn(acknowledged);
  if (first === "failed" && isSold && delivered !== undefined)
    return "its callback said failed, although it was delivered, so sending it again, showing it as failed and giving the money back are all right";
  if (first === "delivered" && !isSold && refunded === undefined)
    return "its callback said delivered, although it failed, so showing it as paid is right";
  return undefined;
}

/** Says what an order asks for, without its message, which may be private: "254712345678 KES 50". */
export function describeOrder(order: Order): string {
  return order.operation === "airtime"
    ? `${order.phoneNumber} KES ${showKes(order.amount)}`
    : `${order.phoneNumber} from ${order.senderId}`;
}

/** Says it in a sentence, without the full number either: "KES 50 of airtime for 2547•••". */
export function describeOrderMasked(order: Order): string {
  const recipient = maskPhoneNumbers(order.phoneNumber);
  return order.operation === "airtime"
    ? `KES ${showKes(order.amount)} of airtime for ${recipient}`
    : `An SMS of ${counted(order.message.length, "character")} from ${order.senderId} to ${recipient}`;
}

/** "part 1", "parts 1, 3" */
export function describePartNumbers(parts: readonly number[]): string {
  return `${parts.length === 1 ? "part" : "parts"} ${parts.join(", ")}`;
}
