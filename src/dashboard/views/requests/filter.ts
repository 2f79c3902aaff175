import { compileGlob } from "../../../gateway/domain/glob.ts";
import { formatKes } from "../../../gateway/domain/kes.ts";
import { parseInstant } from "../../../gateway/domain/time.ts";
import type { Row } from "../../live/account-reading.ts";
import type { RowQuestion } from "../../live/row-reading.ts";
import { stateOf } from "./words.ts";

/** The filter in the URL; an empty string matches everything. */
export interface Filter {
  readonly state: string;
  readonly operation: string;
  readonly carrier: string;
  readonly number: string;
  readonly text: string;
  /** ISO 8601, inclusive. */
  readonly from: string;
  /** ISO 8601, exclusive. */
  readonly to: string;
}

/** The conditions with only a few values, which can be counted. */
const FACETS = ["state", "operation", "carrier"] as const;
type Facet = (typeof FACETS)[number];

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { state = "", operation = "", carrier = "", number = "", text = "", from = "", to = "" } = query;
  return { state, operation, carrier, number, text, from, to };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

/** Turns the filter and the sort order into a question about the account's rows. */
export function rowQuestion(filter: Filter, sort: Sort): RowQuestion<Facet> {
  const tests = [timeTest(filter), numberTest(filter.number), textTest(filter.text)];
  return {
    asked: new Map(FACETS.map((facet) => [facet, filter[facet]])),
    facetsOf: (row) => (tests.every((test) => test(row)) ? { values: facetsOf(row) } : undefined),
    ...(sortText(sort) !== "" && { sort: { valueOf: SORT_VALUES[sort.key], isDescending: sort.isDescending } }),
  };
}

function facetsOf(row: Row): Record<Facet, string> {
  // The carrier of a number is looked up at acceptance.
  return { state: stateOf(row), operation: row.request.operation, carrier: row.transaction?.accepted.carrier ?? "" };
}

function timeTest({ from, to }: Filter): (row: Row) => boolean {
  const first = parseInstant(from) ?? -Infinity;
  const end = parseInstant(to) ?? Infinity;
  return ({ request: { at } }) => at >= first && at < end;
}

/** Matches numbers as people write them: `0712 345 678`, `+254 712…`, a part of the number, or with `*`. */
function numberTest(written: string): (row: Row) => boolean {
  const wanted = digitsOf(written);
  if (wanted === "") return () => true;
  const local = wanted.replace(/^0/, "254");
  const isNear = wanted.includes("*")
    ? globTest([wanted, local])
    : (number: string) => number.includes(wanted) || number.includes(local);
  return ({ request: { phoneNumber } }) =>
    phoneNumber !== undefined && isNear(digitsOf(phoneNumber).replace(/^0/, "254"));
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

/** The searchable text of a request never changes, so it is cached. */
const texts = new WeakMap<Row["request"], string>();

function textOf({ request }: Row): string {
  const known = texts.get(request);
  if (known !== undefined) return known;
  const { requestId, path, unknownKey, statusCode, description, order, hint, body, rules } = request;
  const fired = rules?.fired.map(({ scenario, rule }) => `${scenario}: ${rule}`) ?? [];
  const text = [requestId, path, unknownKey, statusCode, description, ...orderTexts(order), hint, body, ...fired]
    .join("\n")
    .toLowerCase();
  texts.set(request, text);
  return text;
}

function orderTexts(order: Row["request"]["order"]): string[] {
  if (order === undefined) return [];
  return [
    order.phoneNumber,
    ...(order.operation === "sms" ? [order.senderId, order.message] : [formatKes(order.amount)]),
  ];
}

function resultOf({ transaction }: Row): string {
  if (transaction === undefined || !("settled" in transaction.progress)) return "";
  const { resultCode, resultDesc } = transaction.progress.settled;
  return `${resultCode} ${resultDesc}`;
}

/** Rows, newest first, while the user reads further down. */
interface FrozenRows {
  readonly shown: readonly Row[];
  /** The number of rows that arrived since. */
  readonly fresh: number;
}

/** Hides rows that came after an event, so that nothing moves while the user reads. */
export function freezeRows(rows: readonly Row[], frozenAt: number | undefined): FrozenRows {
  if (frozenAt === undefined) return { shown: rows, fresh: 0 };
  const fresh = rows.findIndex(({ request }) => request.number <= frozenAt);
  // The frozen rows are gone: another journal, or a snapshot, has replaced them.
  return fresh <= 0 ? { shown: rows, fresh: 0 } : { shown: rows.slice(fresh), fresh };
}

/** The columns that rows can be sorted by. */
const SORT_KEYS = ["number", "amount", "charge", "time"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** `-charge` sorts by charge in descending order. */
interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** The default order. */
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
    transaction === undefined
      ? -1
      : "settled" in transaction.progress
        ? transaction.progress.settled.charge
        : transaction.accepted.hold,
};
