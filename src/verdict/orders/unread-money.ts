import { cents, formatKes, type Kes, NO_MONEY, showKes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder, BookedCharge } from "../application/placed-order.ts";
import { describeEnd, OF_NO_CHARGE } from "./judge-books.ts";
import { isDebit, asPaid } from "./judge-money.ts";
import { describeDebit } from "./order-verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";

/**
 * Says what money the map describes and the application does not show with a plain order that was delivered. Nothing would be found wrong
 * with it in any trial.
 */
export function explainUnreadMoney(order: OrderEvidence, map: AppMap): string | undefined {
  const { debited, books, placed } = order;
  const seen = { balance: debited, books };
  for (const key of ["balance", "books"] as const) {
    const shown = seen[key];
    if (map[key] !== undefined && "missing" in shown)
      return `${describePlainOrder(placed)} is delivered, but ${key} cannot be read: ${shown.missing}. Check ${key} in the app map and what the application answers there, or leave it out.`;
  }
  return explainBooks(order);
}

/**
 * Says what the books show of a plain order that was delivered, where the app map may mean something else by them: an entry without what the map
 * promises, one that belongs to no charge, or none at all in a list that may go on.
 */
export function explainBooks(order: OrderEvidence): string | undefined {
  const { books, placed, truth, claimed } = order;
  if ("missing" in books || truth.delivered.length === 0 || claimed.claim !== "paid") return undefined;
  const ids = truth.requests.map(({ requestId }) => requestId);
  const isOwn = ({ requestId }: BookedCharge): boolean => requestId !== undefined && ids.includes(requestId);
  const own = books.value.filter(isOwn);
  const plain = `${describePlainOrder(placed)} is delivered`;
  const unread = own.find(({ amount }) => amount === undefined || amount === null);
  if (unread !== undefined)
    return `${plain}, but books.amount finds no amount in its entry: ${unread.written}. Write in the app map where it is, or have the application show it as a number of shillings, like 59.00.`;
  const other = books.value.find((entry) => !isOwn(entry));
  if (other !== undefined)
    return books.isOfOne === true ? `${plain} ${explainOther(other, own.length > 0, ids)}` : undefined;
  return own.length === 0 && books.endsAt !== undefined ? `${plain}, but ${describeEnd(books.endsAt)}.` : undefined;
}

function explainOther({ written }: BookedCharge, isBesides: boolean, ids: readonly string[]): string {
  return isBesides
    ? `and booked, and the books have another entry, ${OF_NO_CHARGE}: ${written}. If that is meant, leave such entries out by books.list in the app map, like $.charges[?@.type == "charge"]; otherwise correct the application.`
    : `under the request_id ${ids.join(" or ")}, but its new entry in the books shows another at books.request_id, or none: ${written}. Correct the path in the app map, or book the request_id of the gateway.`;
}

/** Says both sides if a plain order that was delivered costs something else than the app map says. */
export function explainOtherPrice(order: OrderEvidence): string | undefined {
  const { placed, debited, price, unrounded } = order;
  if (!isSoldOnce(order) || !("value" in debited) || isUsual(debited.value, order)) return undefined;
  const what = placed.operation === "airtime" ? ` for KES ${placed.amount}` : "";
  const rounded = unrounded === undefined ? "" : ", or whole shillings beside that";
  const costs = price === undefined ? "that is paid from it" : `it costs KES ${showKes(price)}${rounded}`;
  return `${describePlainOrder(placed)}${what} was ${describeDebit(debited.value)}; by the app map, ${costs}. ${repairOf(debited.value, order)}`;
}

/** While it is open, it may have taken nothing yet, or what is held until the gateway charges less. */
function isUsual(debited: Kes, order: OrderEvidence): boolean {
  const { operation, amount } = order.placed;
  const isDue = isDebit(debited, [asPaid(order)]) !== false;
  if (order.claimed.claim === "paid" || isDue) return isDue;
  const most = Math.max(order.price ?? 0, operation === "airtime" ? amount * 100 : 0);
  return debited >= 0 && debited <= most;
}

function isSoldOnce({ claimed: { claim }, truth, part }: OrderEvidence): boolean {
  const isShown = claim === "paid" || claim === "open";
  return isShown && truth.delivered.length > 0 && !truth.isSoldTwice && part === undefined;
}

/** What a balance may be instead of what the customer has in shillings, by what a debit becomes then. */
const OTHER_BALANCES: readonly (readonly [keys: string, debit: (seen: Kes) => number])[] = [
  ["unit: cents", (seen) => seen / 100],
  ["owed: true", (seen) => -seen],
  ["unit: cents, owed: true", (seen) => -seen / 100],
];

function repairOf(debited: Kes, order: OrderEvidence): string {
  const keys = keysFor(debited, order) ?? (debited > 0 ? `price: ${priceLike(debited, order.placed)}` : undefined);
  return keys === undefined
    ? "Correct the application, balance in the app map, or settle there if the balance changes later."
    : `If that is meant, say so in the app map, like balance: { ${keys} }; otherwise correct the application.`;
}

function keysFor(debited: Kes, order: OrderEvidence): string | undefined {
  if (order.price === NO_MONEY || debited === NO_MONEY) return undefined;
  const fits = (debit: number): boolean => Number.isInteger(debit) && isDebit(cents(debit), [asPaid(order)]) === true;
  return OTHER_BALANCES.find(([, debit]) => fits(debit(debited)))?.[0];
}

/** Returns how the app map says what was debited. */
function priceLike(debited: Kes, { operation, amount }: ApplicationOrder): string {
  if (operation === "sms") return `"${formatKes(debited)}"`;
  const percent = Math.round((100 * debited) / amount) / 100;
  return percent * amount === debited ? `"${percent}%"` : `[[${amount}, ${formatKes(debited)}]]`;
}

/** The beginning of a sentence about a plain order. */
export function describePlainOrder({ operation, phoneNumber }: ApplicationOrder): string {
  return `A plain ${operation} order to ${phoneNumber}, without any fault,`;
}
