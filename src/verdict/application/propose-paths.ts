import { counted } from "../../gateway/domain/counted.ts";
import type { ApplicationOrder } from "./placed-order.ts";

/** More would fill a screen. */
const MOST_SHOWN = 5;

/** Names the values in an answer among which is an order's id, for a sentence: "$.id or $.number". Undefined if there are none. */
export function nameIds(answer: unknown, order: ApplicationOrder): string | undefined {
  const paths = proposePaths(answer, order);
  const others = paths.length - MOST_SHOWN;
  const shown = [...paths.slice(0, MOST_SHOWN), ...(others > 0 ? [counted(others, "other value")] : [])];
  return shown.length === 0 ? undefined : shown.join(" or ");
}

/**
 * Returns the JSONPaths of the texts and numbers in an answer that are not what was ordered: its id and its status are among them, whatever
 * they are called.
 */
export function proposePaths(answer: unknown, order: ApplicationOrder, path = "$"): string[] {
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([key, value]: [string, unknown]) => {
    const step = /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : JSON.stringify([key]);
    const here = `${path}${Array.isArray(answer) ? `[${key}]` : step}`;
    if (typeof value === "object") return proposePaths(value, order, here);
    const isShown = (typeof value === "string" && value !== "") || typeof value === "number";
    return isShown && !isOrdered(String(value), order) ? [here] : [];
  });
}

function isOrdered(text: string, { phoneNumber, amount, message }: ApplicationOrder): boolean {
  return text.replaceAll(" ", "").endsWith(phoneNumber.slice(3)) || Number(text) === amount || text === message;
}
