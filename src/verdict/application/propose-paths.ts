import type { ApplicationOrder } from "./placed-order.ts";

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
