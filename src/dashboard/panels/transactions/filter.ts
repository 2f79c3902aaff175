import { compileGlob } from "../../../domain/glob.ts";
import { formatKes } from "../../../domain/kes.ts";
import { parseInstant } from "../../../domain/time.ts";
import type { Row } from "../../live/book.ts";
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
type Facet = "state" | "operation" | "carrier";

/** From a value to the rows there would be if this condition asked for it and the others stayed; "" counts them all. */
type Counts = ReadonlyMap<string, number>;

interface FilteredRows {
  /** Those that the filter lets through, newest first. */
  readonly rows: readonly Row[];
  readonly counts: Readonly<Record<Facet, Counts>>;
  /** Of all rows. */
  readonly total: number;
}

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { state = "", operation = "", carrier = "", number = "", text = "", from = "", to = "" } = query;
  return { state, operation, carrier, number, text, from, to };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

/** Finds the rows that are asked for, and counts what each other choice would show: one pass, for it runs as often as events come. */
export function filterRows(rows: readonly Row[], filter: Filter): FilteredRows {
  const counter = new FacetCounter(filter);
  const isSaid = textTest(filter.text);
  const isTo = numberTest(filter.number);
  const isThen = timeTest(filter);
  const found: Row[] = [];
  for (const row of rows) {
    if (isThen(row) && isTo(row) && isSaid(row) && counter.take(row)) found.push(row);
  }
  return { rows: found.reverse(), counts: counter.counts(), total: rows.length };
}

/** Counts rows by their values; one counts for a condition when it meets the two others. */
class FacetCounter {
  readonly #filter: Filter;
  readonly #states: Numbers = {};
  readonly #operations: Numbers = {};
  readonly #carriers: Numbers = {};

  constructor(filter: Filter) {
    this.#filter = filter;
  }

  /** Whether the row meets all three. */
  take(row: Row): boolean {
    const state = stateOf(row);
    const { operation } = row.request;
    // Which carrier a number belongs to is found out at acceptance; before it there is none.
    const carrier = row.transaction?.accepted.carrier ?? "";
    const isState = meets(this.#filter.state, state);
    const isOperation = meets(this.#filter.operation, operation);
    const isCarrier = meets(this.#filter.carrier, carrier);
    countIf(isOperation && isCarrier, this.#states, state);
    countIf(isState && isCarrier, this.#operations, operation);
    countIf(isState && isOperation, this.#carriers, carrier);
    return isState && isOperation && isCarrier;
  }

  counts(): FilteredRows["counts"] {
    return { state: withSum(this.#states), operation: withSum(this.#operations), carrier: withSum(this.#carriers) };
  }
}

type Numbers = Record<string, number>;

function meets(asked: string, value: string): boolean {
  return asked === "" || asked === value;
}

function countIf(isMet: boolean, numbers: Numbers, value: string): void {
  if (isMet) numbers[value] = (numbers[value] ?? 0) + 1;
}

function withSum(numbers: Numbers): Counts {
  const sum = Object.values(numbers).reduce((sum, count) => sum + count, 0);
  return new Map([...Object.entries(numbers), ["", sum]]);
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
export const SORT_KEYS = ["number", "amount", "charge", "time"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** `-charge`: the greatest first. */
export interface Sort {
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

/** Rows, newest first, in another order; among equals the newest comes first. */
export function sortRows(rows: readonly Row[], { key, isDescending }: Sort): readonly Row[] {
  if (key === "time") return isDescending ? rows : rows.toReversed();
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(SORT_VALUES[key](one), SORT_VALUES[key](other)));
}

const SORT_VALUES: Readonly<Record<Exclude<SortKey, "time">, (row: Row) => string | number>> = {
  number: ({ request }) => request.phoneNumber ?? "",
  amount: ({ request: { order } }) => (order?.operation === "airtime" ? order.amount : -1),
  charge: ({ transaction }) =>
    transaction === undefined ? -1 : "settled" in transaction.progress ? transaction.progress.settled.charge : transaction.accepted.hold,
};

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
