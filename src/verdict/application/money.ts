import type { HttpReply } from "../../control/client/http-exchange.ts";
import { cents, type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "./app-map.ts";
import { excerpt, type ShownValue } from "./ask.ts";
import { type JsonPath, readAmount } from "./json-path.ts";
import type { BookedCharge } from "./placed-order.ts";
import { textOf } from "./placeholders.ts";
import { describeReply, find, read } from "./read-answer.ts";

/** Reads a balance at a path whose placeholders are filled, as what the customer has. */
export function readBalance(
  reply: HttpReply,
  path: JsonPath,
  { unit, owed }: Pick<NonNullable<AppMap["balance"]>, "unit" | "owed">,
): ShownValue<Kes> {
  const shown = read(reply, path);
  if ("missing" in shown) return shown;
  const value = unit === "cents" ? readCents(shown.value) : readAmount(shown.value);
  if (value === undefined)
    return {
      missing: `${path.text} is ${textOf(shown.value)}, which is not ${unit === "cents" ? "whole cents" : "an amount"}`,
    };
  return { value: owed === true ? subtractKes(NO_MONEY, value) : value };
}

/** An integer of cents is an amount of as many shillings, a hundred times as large. */
function readCents(value: unknown): Kes | undefined {
  const hundredfold = readAmount(value);
  return hundredfold === undefined || hundredfold % 100 !== 0 ? undefined : cents(hundredfold / 100);
}

type BooksOfMap = NonNullable<AppMap["books"]>;

/** What the books show; `isUnread` says that they were asked for. */
export type ShownBooks<Value = readonly BookedCharge[]> =
  | { readonly value: Value }
  | { readonly missing: string; readonly isUnread?: true };

/** With the usual 20 entries a page, 2,000 charges, which is more than a whole exploration makes. */
const MOST_PAGES = 100;

/** Reads the books, from the first page to the last if the map says where the next one is. `ask` sends the request of the map, or asks for a page. */
export async function readBooks(
  books: BooksOfMap,
  first: string,
  ask: (page?: string) => Promise<HttpReply>,
): Promise<ShownBooks> {
  const entries: BookedCharge[] = [];
  const read = new Set<string>();
  for (let page: string | undefined = new URL(first).href; page !== undefined;) {
    if (read.has(page)) return { missing: `the page ${page} was read before`, isUnread: true };
    if (read.size === MOST_PAGES) return { missing: `there are more than ${MOST_PAGES} pages`, isUnread: true };
    const shown = readPage(await ask(read.size === 0 ? undefined : page), books, page);
    if ("missing" in shown) return { ...shown, isUnread: true };
    read.add(page);
    entries.push(...shown.value.entries);
    page = shown.value.next;
  }
  return { value: entries };
}

interface Page {
  readonly entries: readonly BookedCharge[];
  readonly next: string | undefined;
}

function readPage(reply: HttpReply, books: BooksOfMap, page: string): ShownValue<Page> {
  const { list } = books;
  const found = find(reply, list);
  if ("missing" in found) return found;
  if (found.value.length === 0 && !hasList(reply, list))
    return { missing: `the answer has no list for ${list.text}${describeReply(reply)}` };
  const entries = found.value.map((entry) => readEntry(entry, books));
  const next = findNext(reply, books);
  if (next === undefined) return { value: { entries, next } };
  const address = urlOnSameHost(next, page);
  return address === undefined
    ? { missing: `the next page is ${textOf(next)}, which is no URL of the application` }
    : { value: { entries, next: address } };
}

/** Returns what stands where the next page is named; undefined on the last one. */
function findNext(reply: HttpReply, { next }: BooksOfMap): unknown {
  const found = next && find(reply, next);
  return (found !== undefined && "value" in found ? found.value[0] : undefined) ?? undefined;
}

/** Returns the address of another page. The headers of the map may hold a secret, so that no other host gets them. */
function urlOnSameHost(url: unknown, page: string): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url, page)) return undefined;
  const { href, origin } = new URL(url, page);
  return origin === new URL(page).origin ? href : undefined;
}

/** Returns whether a list without entries is there at all. Some languages write null for one. Below ".." there may be any number of lists. */
function hasList(reply: HttpReply, path: JsonPath): boolean {
  const above = find(reply, { ...path, find: path.findAbove });
  const isThere = "value" in above && above.value.some((one) => one === null || Array.isArray(one));
  return isThere || path.text.includes("..");
}

function readEntry(entry: unknown, { request_id, amount }: BooksOfMap): BookedCharge {
  const id = textOf(request_id.find(entry)[0] ?? "");
  const [shown] = amount.find(entry);
  return {
    requestId: id === "" ? undefined : id,
    amount: shown === null ? null : readAmount(shown),
    written: excerpt(textOf(entry)).replace(/^: /, ""),
  };
}
