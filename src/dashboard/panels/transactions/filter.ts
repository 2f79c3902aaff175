import { compileGlob } from "../../../domain/glob.ts";
import { formatKes } from "../../../domain/kes.ts";
import { parseInstant } from "../../../domain/time.ts";
import type { Row } from "../../live/account-reading.ts";
import type { RowQuestion } from "../../live/row-reading.ts";
import { stateOf } from "./words.ts";

/** What the address asks for; an empty text asks for nothing. */
export interface Filter {
  readonly state: string;
  readonly operation: string;
  readonly carrier: string;
  readonly number: string;
  readonly text: string;
  /** ISO 8601: this moment and later. */
  readonly from: string;
  /** ISO 8601: before this moment. */
  readonly to: string;
}

/** The conditions that have a few values each, so that these can be counted. */
const FACETS = ["state", "operation", "carrier"] as const;
type Facet = (typeof FACETS)[number];

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { state = "", operation = "", carrier = "", number = "", text = "", from = "", to = "" } = query;
  return { state, operation, carrier, number, text, from, to };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

/** What the filter and the order ask of an account's rows. */
export function rowQuestion(filter: Filter, sort: Sort): RowQuestion<Facet> {
  const tests = [timeTest(filter), numberTest(filter.number), textTest(filter.text)];
  return {
    asked: new Map(FACETS.map((facet) => [facet, filter[facet]])),
    facetsOf: (row) => (tests.every((test) => test(row)) ? { values: facetsOf(row) } : undefined),
    ...(sortText(sort) !== "" && { sort: { valueOf: SORT_VALUES[sort.key], isDescending: sort.isDescending } }),
  };
}

function facetsOf(row: Row): Record<Facet, string> {
  // Which carrier a number belongs to is found out at acceptance; before it there is none.
  return { state: stateOf(row), operation: row.request.operation, carrier: row.transaction?.accepted.carrier ?? "" };
}

function timeTest({ from, to }: Filter): (row: Row) => boolean {
  const first = parseInstant(from) ?? -Infinity;
  const end = parseInstant(to) ?? Infinity;
  return ({ request: { at } }) => at >= first && at < end;
}

/** Digits as people write them: `0712 345 678`, `+254 712…`, a part of the number, or with `*`. */
function numberTest(written: string): (row: Row) => boolean {
  const wanted = digitsOf(written);
  if (wanted === "") return () => true;
  const local = wanted.replace(/^0/, "254");
  const isNear = wanted.includes("*") ? globTest([wanted, local]) : (number: string) => number.includes(wanted) || number.includes(local);
  return ({ request: { phoneNumber } }) => phoneNumber !== undefined && isNear(digitsOf(phoneNumber).replace(/^0/, "254"));
}

function digitsOf(written: string): string {
  return written.replace(/[\s+()-]/g, "");
}

function globTest(patterns: readonly string[]): (number: string) => boolean {
  const globs = patterns.map(compileGlob);
  return (number) => globs.some((matches) => matches(number));
}

function textTest(written: string): (row: Row) => boolean {
  const wanted = written.trim().toLowerCase();
  if (wanted === "") return () => true;
  return (row) => textOf(row).includes(wanted) || resultOf(row).toLowerCase().includes(wanted);
}

/** What of a request can be searched never changes; it is put together once. */
const texts = new WeakMap<Row["request"], string>();

function textOf({ request }: Row): string {
  const known = texts.get(request);
  if (known !== undefined) return known;
  const { requestId, path, unknownKey, statusCode, description, order, hint, body, rules } = request;
  const fired = rules?.fired.map(({ scenario, rule }) => `${scenario}: ${rule}`) ?? [];
  const text = [requestId, path, unknownKey, statusCode, description, ...orderTexts(order), hint, body, ...fired].join("\n").toLowerCase();
  texts.set(request, text);
  return text;
}

function orderTexts(order: Row["request"]["order"]): string[] {
  if (order === undefined) return [];
  return [order.phoneNumber, ...(order.operation === "sms" ? [order.senderId, order.message] : [formatKes(order.amount)])];
}

function resultOf({ transaction }: Row): string {
  if (transaction === undefined || !("settled" in transaction.progress)) return "";
  const { resultCode, resultDesc } = transaction.progress.settled;
  return `${resultCode} ${resultDesc}`;
}

/** Rows, newest first, for somebody who has begun to read. */
interface FrozenRows {
  readonly shown: readonly Row[];
  /** How many came since. */
  readonly fresh: number;
}

/** Keeps rows back that came after an event, so that nothing moves under the reader's eyes. */
export function freezeRows(rows: readonly Row[], frozenAt: number | undefined): FrozenRows {
  if (frozenAt === undefined) return { shown: rows, fresh: 0 };
  const fresh = rows.findIndex(({ request }) => request.number <= frozenAt);
  // Another journal, or a snapshot in place of what was read: there is nothing left to be held still.
  return fresh <= 0 ? { shown: rows, fresh: 0 } : { shown: rows.slice(fresh), fresh };
}

/** The columns that rows can be sorted by. */
const SORT_KEYS = ["number", "amount", "charge", "time"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** `-charge`: the greatest first. */
interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** Newest first, unless the address asks for something else. */
export const NEWEST_FIRST: Sort = { key: "time", isDescending: true };

export function readSort(text = ""): Sort {
  const key = SORT_KEYS.find((known) => known === text.replace(/^-/, ""));
  return key === undefined ? NEWEST_FIRST : { key, isDescending: text.startsWith("-") };
}

export function sortText({ key, isDescending }: Sort): string {
  return key === "time" && isDescending ? "" : `${isDescending ? "-" : ""}${key}`;
}

const SORT_VALUES: Readonly<Record<SortKey, (row: Row) => string | number>> = {
  time: ({ place }) => place,
  number: ({ request }) => request.phoneNumber ?? "",
  amount: ({ request: { order } }) => (order?.operation === "airtime" ? order.amount : -1),
  charge: ({ transaction }) =>
    transaction === undefined ? -1 : "settled" in transaction.progress ? transaction.progress.settled.charge : transaction.accepted.hold,
};
