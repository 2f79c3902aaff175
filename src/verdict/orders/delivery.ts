import type { DeliveredOrder, RequestReading } from "../../gateway/account/readings/request.ts";
import { numbersOf } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Wanted } from "../../gateway/account/readings/sale.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { addKes, cents, showKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { boundsOf, isSumOf, type PricedOrder, shareOf } from "../application/price.ts";
import { placeholdersIn } from "../application/placeholders.ts";
import type { OrderTruth } from "./order-truth.ts";
import { findParts, spell, type TextParts } from "./text-parts.ts";

/** What the customer ordered, and something else that the gateway delivered. */
export interface Difference {
  readonly of: "number" | "amount" | "text";
  /** For a sentence: KES 20, or the beginning of the text up to the first difference and a little further. */
  readonly ordered: string;
  readonly delivered: string;
}

/** What an order delivers, if the map does not say otherwise. */
const AS_ORDERED = { amount: "{amount}", message: "exact" } as const;

const NUMBERS = ["phone_number", "phone_numbers", "local_number", "plus_number"];

type Meant = Pick<AppMap, "order" | "delivers">;

/**
 * Returns what the gateway delivered differently from what was ordered: another number or text, or another amount in sum. Compares only what the
 * map passes on to the application.
 */
export function differenceOf(
  ordered: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  map: Meant,
): Difference | undefined {
  const { order, delivers = AS_ORDERED } = map;
  const passed = placeholdersIn(order[ordered.operation]?.request);
  const compare = (got: DeliveredOrder): Difference | undefined => {
    if (passed.some((name) => NUMBERS.includes(name)) && !numbersOf(ordered).includes(got.phoneNumber))
      return { of: "number", ...mark(ordered.phoneNumber, got.phoneNumber) };
    if (!("message" in got) || !passed.includes("message") || delivers.message === "parts") return undefined;
    return compareText(ordered, got.message, delivers);
  };
  const texts = textsIn(delivered);
  const isOther = delivers.message === "parts" && texts.length > 0 && findParts(ordered.message, texts) === undefined;
  if (isOther && passed.includes("message"))
    return { of: "text", ...mark(spell(ordered.message), spell(texts.join(""))) };
  const found = delivered.map(compare).find((difference) => difference !== undefined);
  return found ?? compareAmounts(ordered, delivered, map);
}

/** "Your customer ordered KES 20; the gateway delivered KES 2000.00". */
export function describeDifference({ of, ordered, delivered }: Difference): string {
  const place = of === "text" ? `, first different at ${MARK}` : "";
  const what = of === "number" ? "to " : "";
  return `Your customer ordered ${what}${ordered}; the gateway delivered ${what}${delivered}${place}`;
}

interface Compared {
  readonly placed: ApplicationOrder;
  readonly truth: Pick<OrderTruth, "delivered" | "isSoldTwice">;
  readonly difference?: Difference;
}

/**
 * Says what a plain order delivers that may be meant, if the map does not say: a bonus, a second order, a signature. Another subscriber's
 * number never is.
 */
export function explainAmbiguous({ difference, placed, truth }: Compared, map: Meant): string | undefined {
  const { operation, phoneNumber } = placed;
  const meant = truth.isSoldTwice ? meantOf(placed, map) : undefined;
  const found = difference ?? (meant && describeAmounts(placed, truth.delivered, meant));
  if (found === undefined || found.of === "number" || map.delivers !== undefined) return undefined;
  const example = found.of === "amount" ? 'amount: "110%"' : "message: contains";
  return `${describeDifference(found)} (a plain ${operation} order to ${phoneNumber}). If that is meant, say so in the app map, like delivers: { ${example} }; otherwise correct the application, or order.${operation}.request in the app map.`;
}

type Delivers = NonNullable<AppMap["delivers"]>;

/** Returns what airtime an order delivers in sum; undefined if the map does not list it, or does not pass the amount on. */
function meantOf(
  { operation, amount }: ApplicationOrder,
  { order, delivers = AS_ORDERED }: Meant,
): PricedOrder | undefined {
  const isPassed = operation === "airtime" && placeholdersIn(order.airtime?.request).includes("amount");
  return isPassed ? meantAmount(amount, delivers.amount) : undefined;
}

/** Returns what an order is sold as, if that takes so many requests; an SMS, of these parts. */
export function wantedOf(ordered: ApplicationOrder, requests: number, map: Meant, parts?: TextParts): Wanted {
  const meant = meantOf(ordered, map);
  return { requests, airtime: meant && boundsOf(meant).to, texts: parts?.texts };
}

/** Returns the parts as which an SMS was asked for; undefined if the map does not pass its text on, or it was sent as one. */
export function partsAsked(
  { operation, message }: ApplicationOrder,
  asked: readonly RequestReading["asked"][],
  { order, delivers = AS_ORDERED }: Meant,
): TextParts | undefined {
  if (operation !== "sms" || !placeholdersIn(order.sms?.request).includes("message")) return undefined;
  const parts = findParts(message, textsIn(asked));
  return parts !== undefined && (parts.texts.length > 1 || delivers.message === "parts") ? parts : undefined;
}

/** Says both sides if an SMS was asked for in parts, and the map does not say that it may be. */
export function explainParts(
  { operation, message, phoneNumber }: ApplicationOrder,
  { texts }: TextParts,
  { delivers }: Meant,
): string | undefined {
  if (delivers?.message === "parts") return undefined;
  const [first = "", last = ""] = [texts[0], texts.at(-1)].map((text) =>
    quoted(
      Array.from(text ?? "")
        .slice(0, AFTER)
        .join(""),
    ),
  );
  return `Your customer ordered one SMS of ${counted(Array.from(message).length, "character")}; the gateway got ${counted(texts.length, "request")} with a part of it each, from ${first} to ${last} (an ${operation} order to ${phoneNumber}). If that is meant, say so in the app map: delivers: { message: parts }; otherwise correct the application.`;
}

function textsIn(orders: readonly RequestReading["asked"][] | readonly DeliveredOrder[]): string[] {
  return orders.flatMap((order) => (order !== undefined && "message" in order ? [order.message] : []));
}

function compareAmounts(
  ordered: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  map: Meant,
): Difference | undefined {
  const meant = meantOf(ordered, map);
  if (meant === undefined || delivered.length === 0) return undefined;
  const sum = sumOf(delivered);
  // What was sold twice is not something else.
  const isTimes = delivered.some((_, at) =>
    isSumOf(
      sum,
      Array.from({ length: at + 1 }, () => meant),
    ),
  );
  return isTimes ? undefined : describeAmounts(ordered, delivered, meant);
}

function sumOf(delivered: readonly DeliveredOrder[]): Kes {
  return delivered.reduce((sum, got) => ("amount" in got ? addKes(sum, got.amount) : sum), NO_MONEY);
}

function describeAmounts(
  { amount }: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  { price: meant }: PricedOrder,
): Difference {
  const words = meant === amount * 100 ? "" : `, which delivers KES ${showKes(meant)} by the app map`;
  const requests = delivered.length > 1 ? ` in ${counted(delivered.length, "request")}` : "";
  return { of: "amount", ordered: `KES ${amount}${words}`, delivered: `KES ${showKes(sumOf(delivered))}${requests}` };
}

/** What arrived of an order that the application sends as several requests, if that is neither nothing nor everything. */
export interface Part {
  /** Whether it is for some of several recipients, instead of some of the airtime. */
  readonly of: "recipients" | "amount" | "text";
  /** "1 of 2 recipients got it, and 254712345678 did not". */
  readonly words: string;
  /** The share of everything that it delivers. */
  readonly arrived: number;
  /** The least and the most share of its price that is owed for it. A bonus that arrived is not paid for. */
  readonly least: number;
  readonly most: number;
}

/** Returns what part of an order arrived. `requests` is how many a plain order takes for each number. */
export function partOf(
  ordered: ApplicationOrder,
  { delivered, readings }: Pick<OrderTruth, "delivered" | "readings">,
  requests: number,
  map: Meant,
): Part | undefined {
  if (delivered.length === 0) return undefined;
  if (ordered.recipients !== undefined) return partOfRecipients(ordered, delivered, map);
  if (map.delivers?.message === "parts" && ordered.operation === "sms") return partOfText(ordered, delivered, readings);
  const meant = meantOf(ordered, map);
  if (meant === undefined) return undefined;
  const whole = boundsOf(meant).from;
  const sum = sumOf(delivered);
  const isWholeAsked = readings.some(({ asked }) => asked !== undefined && "amount" in asked && asked.amount >= whole);
  const isIncomplete = delivered.length < Math.max(requests, readings.length);
  if (sum >= whole || isWholeAsked || !isIncomplete) return undefined;
  const paid = Math.min(ordered.amount * 100, meant.price);
  const difference = describeAmounts(ordered, delivered, meant);
  return {
    of: "amount",
    words: describeDifference(difference),
    arrived: sum / meant.price,
    least: Math.max(0, sum - (meant.price - paid)) / paid,
    most: Math.min(1, sum / paid),
  };
}

/** What a part of a text costs lies between its share of the characters and its share of the requests. */
function partOfText(
  { message }: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  readings: readonly RequestReading[],
): Part | undefined {
  const [asked, arrived] = [readings.map((one) => one.asked), delivered].map((all) => findParts(message, textsIn(all)));
  if (arrived === undefined || arrived.isWhole) return undefined;
  const text = spell(message);
  const ofText = arrived.contained.length / text.length;
  const ofRequests = asked?.isWhole === true ? arrived.texts.length / asked.texts.length : ofText;
  const words = describeDifference({ of: "text", ...mark(text, arrived.contained) });
  return {
    of: "text",
    words,
    arrived: ofRequests,
    least: Math.min(ofText, ofRequests),
    most: Math.max(ofText, ofRequests),
  };
}

function partOfRecipients(
  ordered: ApplicationOrder,
  delivered: readonly DeliveredOrder[],
  { delivers }: Meant,
): Part | undefined {
  const numbers = numbersOf(ordered);
  const missing = numbers.filter((number) => {
    const own = delivered.filter(({ phoneNumber }) => phoneNumber === number);
    const areParts = delivers?.message === "parts" && own.length > 0;
    return areParts ? findParts(ordered.message, textsIn(own))?.isWhole === false : own.length === 0;
  });
  const got = numbers.length - missing.length;
  if (got === 0 || missing.length === 0) return undefined;
  const share = got / numbers.length;
  const words = `${got} of ${numbers.length} recipients got the SMS, and ${missing.join(", ")} did not`;
  return { of: "recipients", words, arrived: share, least: share, most: share };
}

/** Returns what an order of so many shillings delivers; undefined if the map does not list it. */
function meantAmount(shillings: number, meant: Delivers["amount"]): PricedOrder | undefined {
  const ordered = cents(shillings * 100);
  if (meant === "{amount}") return { price: ordered };
  if (typeof meant === "string") return shareOf(ordered, Math.round(Number.parseFloat(meant) * 100));
  const pair = meant.find(([one]) => one === shillings);
  return pair && { price: cents(Math.round(pair[1] * 100)) };
}

function compareText({ message }: ApplicationOrder, got: string, delivers: Delivers): Difference | undefined {
  const [ordered, arrived] = [spell(message), spell(got)];
  const isMeant = delivers.message === "exact" ? arrived === ordered : arrived.includes(ordered);
  return isMeant ? undefined : { of: "text", ...mark(ordered, arrived) };
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
    return quoted(shown);
  };
  return { ordered: show(one), delivered: show(other) };
}

/** A sentence is one line. */
function quoted(text: string): string {
  return `"${text.replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1))}"`;
}
