import { gsmSpelling } from "../../gateway/domain/gsm-alphabet.ts";
import type { DeliveredOrder } from "../../gateway/account/readings/request.ts";
import { cents, showKes, type Kes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder } from "../application/application.ts";
import { isSumOf, type PricedOrder, shareOf } from "../application/price.ts";
import { placeholdersIn } from "../application/placeholders.ts";

/** What the customer ordered, and something else that the gateway delivered. */
export interface Difference {
  readonly of: "number" | "amount" | "text";
  /** For a sentence: KES 20, or the beginning of the text up to the first difference and a little further. */
  readonly ordered: string;
  readonly delivered: string;
}

/** What an order delivers, if the map does not say otherwise. */
const AS_ORDERED = { amount: "{amount}", message: "exact" } as const;

const NUMBERS = ["phone_number", "local_number", "plus_number"];

/** Returns what the gateway delivered differently from what was ordered. Compares only what the map passes on to the application. */
export function differenceOf(
  ordered: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  { order, delivers = AS_ORDERED }: Pick<AppMap, "order" | "delivers">,
): Difference | undefined {
  const passed = placeholdersIn(order[ordered.operation]?.request);
  const compare = (got: DeliveredOrder): Difference | undefined => {
    if (passed.some((name) => NUMBERS.includes(name)) && got.phoneNumber !== ordered.phoneNumber)
      return { of: "number", ...mark(ordered.phoneNumber, got.phoneNumber) };
    if ("amount" in got) return passed.includes("amount") ? compareAmount(ordered, got.amount, delivers) : undefined;
    return passed.includes("message") ? compareText(ordered, got.message, delivers) : undefined;
  };
  return delivered.map(compare).find((difference) => difference !== undefined);
}

/** "Your customer ordered KES 20; the gateway delivered KES 2000.00". */
export function describeDifference({ of, ordered, delivered }: Difference): string {
  const place = of === "text" ? `, first different at ${MARK}` : "";
  const what = of === "number" ? "to " : "";
  return `Your customer ordered ${what}${ordered}; the gateway delivered ${what}${delivered}${place}`;
}

interface Compared {
  readonly placed: ApplicationOrder;
  readonly difference?: Difference;
}

/** Returns whether what a plain order delivers may be meant, such as a bonus or a signature. Another subscriber's number never is. */
export function isAmbiguous({ difference }: Compared, { delivers }: Pick<AppMap, "delivers">): boolean {
  return difference !== undefined && difference.of !== "number" && delivers === undefined;
}

export function explainAmbiguous({ difference, placed: { operation, phoneNumber } }: Compared): string {
  const said = difference === undefined ? "" : describeDifference(difference);
  const example = difference?.of === "amount" ? 'amount: "110%"' : "message: contains";
  return `${said} (a plain ${operation} order to ${phoneNumber}). If that is meant, say so in the app map, like delivers: { ${example} }; otherwise correct the application, or order.${operation}.request in the app map.`;
}

type Delivers = NonNullable<AppMap["delivers"]>;

function compareAmount({ amount }: ApplicationOrder, got: Kes, delivers: Delivers): Difference | undefined {
  const meant = meantAmount(amount, delivers.amount);
  if (meant === undefined || isSumOf(got, [meant])) return undefined;
  const words = meant.price === amount * 100 ? "" : `, which delivers KES ${showKes(meant.price)} by the app map`;
  return { of: "amount", ordered: `KES ${amount}${words}`, delivered: `KES ${showKes(got)}` };
}

/** Returns what an order of so many shillings delivers; undefined if the map does not list it. */
function meantAmount(shillings: number, meant: Delivers["amount"]): PricedOrder | undefined {
  const ordered = cents(shillings * 100);
  if (meant === "{amount}") return { price: ordered };
  if (typeof meant === "string") return shareOf(ordered, Math.round(Number.parseFloat(meant) * 100));
  const pair = meant.find(([one]) => one === shillings);
  return pair && { price: cents(Math.round(pair[1] * 100)) };
}

/**
 * Characters count by their plain spelling, because a text may be spelled plainly to save parts, and by their composed form, in which most
 * libraries store a text. An application may change nothing else.
 */
function compareText({ message }: ApplicationOrder, got: string, delivers: Delivers): Difference | undefined {
  const [ordered, arrived] = [spell(message), spell(got)];
  const isMeant = delivers.message === "exact" ? arrived === ordered : arrived.includes(ordered);
  return isMeant ? undefined : { of: "text", ...mark(ordered, arrived) };
}

function spell(text: string): string {
  return Array.from(text.normalize("NFC"), (character) => gsmSpelling(character) ?? character).join("");
}

const MARK = "▸";

/** How many characters of a text are shown before and after its first difference. */
const BEFORE = 24;
const AFTER = 32;

/** Marks the first difference of two texts in both. */
function mark(ordered: string, delivered: string): Pick<Difference, "ordered" | "delivered"> {
  const [one, other] = [Array.from(ordered), Array.from(delivered)];
  const differs = one.findIndex((character, index) => character !== other[index]);
  const at = differs === -1 ? one.length : differs;
  const show = (text: readonly string[]): string => {
    const [before, after] = [text.slice(Math.max(0, at - BEFORE), at).join(""), text.slice(at, at + AFTER).join("")];
    const shown = `${at > BEFORE ? "…" : ""}${before}${MARK}${after}${text.length > at + AFTER ? "…" : ""}`;
    // A sentence is one line.
    return `"${shown.replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1))}"`;
  };
  return { ordered: show(one), delivered: show(other) };
}
