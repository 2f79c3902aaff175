import { matchesGlob } from "../../../domain/glob.ts";
import { formatKes } from "../../../domain/kes.ts";
import type { Row } from "../../live/book.ts";
import { stateOf } from "./row-state.ts";

/** What the address asks for; an empty text asks for nothing. */
export interface Filter {
  readonly state: string;
  readonly operation: string;
  readonly carrier: string;
  readonly number: string;
  readonly text: string;
}

/** The conditions that have a few values each, so that these can be counted. */
const FACETS = ["state", "operation", "carrier"] as const;
export type Facet = (typeof FACETS)[number];

/** From a value to the rows there would be if this condition asked for it and the others stayed; "" counts them all. */
export type Counts = ReadonlyMap<string, number>;

export interface Sifted {
  /** Those that the filter lets through, newest first. */
  readonly rows: readonly Row[];
  readonly counts: Readonly<Record<Facet, Counts>>;
  /** Of all rows. */
  readonly total: number;
}

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { state = "", operation = "", carrier = "", number = "", text = "" } = query;
  return { state, operation, carrier, number, text };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

/** Sorts out the rows that are asked for, and counts what each other choice would show, in one pass. */
export function sift(rows: readonly Row[], filter: Filter): Sifted {
  const counts = { state: new Map<string, number>(), operation: new Map<string, number>(), carrier: new Map<string, number>() };
  const isSaid = textTest(filter.text);
  const isTo = numberTest(filter.number);
  const found: Row[] = [];
  for (const row of rows) {
    if (isTo(row) && isSaid(row) && tally(row, filter, counts)) found.push(row);
  }
  return { rows: found.reverse(), counts, total: rows.length };
}

/** A row counts for a condition when it meets all others; whether it meets every one. */
function tally(row: Row, filter: Filter, counts: Readonly<Record<Facet, Map<string, number>>>): boolean {
  const missed = FACETS.filter((facet) => filter[facet] !== "" && filter[facet] !== valueOf(row, facet));
  if (missed.length > 1) return false;
  for (const facet of FACETS) {
    if (missed.length === 0 || missed[0] === facet) countOne(counts[facet], valueOf(row, facet));
  }
  return missed.length === 0;
}

function countOne(counts: Map<string, number>, value: string | undefined): void {
  counts.set("", (counts.get("") ?? 0) + 1);
  if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** Which carrier a number belongs to is found out at acceptance; before it there is none. */
function valueOf(row: Row, facet: Facet): string | undefined {
  if (facet === "state") return stateOf(row);
  return facet === "operation" ? row.request.operation : row.transaction?.accepted.carrier;
}

/** Digits as people write them: `0712 345 678`, `+254 712…`, a part of the number, or with `*`. */
function numberTest(written: string): (row: Row) => boolean {
  const wanted = written.replace(/[\s+()-]/g, "");
  if (wanted === "") return () => true;
  const readings = [wanted, wanted.replace(/^0/, "254")];
  return ({ request: { order } }) => order !== undefined && readings.some((reading) => isNear(reading, order.phoneNumber));
}

function isNear(wanted: string, number: string): boolean {
  return wanted.includes("*") ? matchesGlob(wanted, number) : number.includes(wanted);
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
  const { requestId, statusCode, description, order, hint, body, directed } = request;
  const rules = directed?.fired.map(({ scenario, rule }) => `${scenario}: ${rule}`) ?? [];
  const text = [requestId, statusCode, description, ...orderTexts(order), hint, body, ...rules].join("\n").toLowerCase();
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
