import { isNoEndpoint, readJson, type Reply, readReply } from "../../application/ask.ts";
import { fill, type Values } from "../../application/placeholders.ts";
import { describeSource } from "../../application/request.ts";
import { readAmount } from "../../application/values.ts";
import { addKes, type Kes, NO_MONEY, subtractKes } from "../../../gateway/domain/kes.ts";
import type { Exchange } from "../../checks/finding.ts";
import { printCents } from "../../../gateway/scenario/values.ts";
import type { CsvColumns, JsonEntries, ReconcileCheck } from "../check-schema.ts";
import type { Verdict } from "../report.ts";
import {
  EVICTED,
  type Evidence,
  failed,
  notAssessed,
  notSettledYet,
  passed,
  describeCount,
  countUnsettled,
} from "./evidence.ts";

/** Judges whether the application's books agree with the ledger, request by request. */
export function gradeReconcile(
  check: ReconcileCheck,
  reply: Reply,
  { evidence, values }: { evidence: Evidence; values: Values },
): Verdict {
  if (!evidence.isComplete) return EVICTED;
  if (countUnsettled(evidence) > 0) return notSettledYet(countUnsettled(evidence));
  if (isNoEndpoint(reply))
    return notAssessed(`an endpoint at ${fill(describeSource(check), values)}, which answered ${reply.status}`);
  const answer = readReply(reply);
  if ("wrong" in answer) return failed(answer.wrong);
  const books = readBooks(answer.text, check, values);
  if ("unreadable" in books) return failed(`the books cannot be read: ${books.unreadable}`);
  const ledger = chargesOf(evidence, check.compare);
  if ("total" in books) return gradeTotal(books.total, ledger);
  return gradeEntries(books.entries, ledger);
}

type Charges = ReadonlyMap<string, Kes>;

/** Charges by request_id, without those of 0. */
function chargesOf({ state }: Evidence, compare: ReconcileCheck["compare"]): Charges {
  const charges = [...state.transactions.values()].flatMap(({ accepted: { requestId, order }, progress }) => {
    if (!("settled" in progress) || progress.settled.charge === 0) return [];
    const isFace = compare === "amount" && order.operation === "airtime";
    return [[requestId, isFace ? order.amount : progress.settled.charge] as const];
  });
  return new Map(charges);
}

function gradeTotal(total: Kes, ledger: Charges): Verdict {
  const sum = sumOf([...ledger.values()]);
  const seen = `books KES ${printCents(total)}, ledger KES ${printCents(sum)}`;
  return total === sum ? passed(seen) : failed(seen, [...ledger.keys()].map(exchange));
}

function gradeEntries(entries: readonly BookEntry[], ledger: Charges): Verdict {
  const books = bookedById(entries);
  const differences = [...new Set([...ledger.keys(), ...books.keys()])].flatMap((requestId) => {
    const { booked, times } = books.get(requestId) ?? { booked: NO_MONEY, times: 0 };
    const charged = ledger.get(requestId) ?? NO_MONEY;
    return booked === charged ? [] : [{ requestId, words: describeDifference(requestId, { booked, charged, times }) }];
  });
  if (differences.length === 0)
    return passed(
      `${describeCount(ledger.size, "charge")}, KES ${printCents(sumOf([...ledger.values()]))}, entry by entry`,
    );
  const shown = differences.slice(0, SHOWN).map(({ words }) => words);
  const more = differences.length > SHOWN ? [`and ${differences.length - SHOWN} more`] : [];
  const seen = `${describeCount(differences.length, "difference")}: ${[...shown, ...more].join("; ")}`;
  return failed(
    seen,
    differences.map(({ requestId }) => exchange(requestId)),
  );
}

function bookedById(entries: readonly BookEntry[]): Map<string, { booked: Kes; times: number }> {
  const books = new Map<string, { booked: Kes; times: number }>();
  for (const { requestId, amount } of entries) {
    const { booked, times } = books.get(requestId) ?? { booked: NO_MONEY, times: 0 };
    books.set(requestId, { booked: addKes(booked, amount), times: times + 1 });
  }
  return books;
}

/** The most differences that are listed individually. */
const SHOWN = 50;

function describeDifference(
  requestId: string,
  { booked, charged, times }: { booked: Kes; charged: Kes; times: number },
): string {
  const entries = times === 1 ? "" : times === 0 ? " (no entry)" : ` (${times} entries)`;
  return `${requestId}: books KES ${printCents(booked)}${entries}, ledger KES ${printCents(charged)}`;
}

function sumOf(amounts: readonly Kes[]): Kes {
  return amounts.reduce(addKes, NO_MONEY);
}

function exchange(requestId: string): Exchange {
  return { kind: "request", requestId };
}

/** What an application says it was charged. */
type Books = { readonly total: Kes } | { readonly entries: readonly BookEntry[] };

interface BookEntry {
  readonly requestId: string;
  readonly amount: Kes;
}

type Read<Value> = Value | { readonly unreadable: string };

/** Parses books from an answer. Entries without a valid amount or request_id make them unreadable; the result says where. */
function readBooks(text: string, { total, since, json: entries, csv }: ReconcileCheck, values: Values): Read<Books> {
  if (csv !== undefined) return readCsv(text, csv);
  const json = readJson(text);
  if (json === undefined) return { unreadable: "the answer is not JSON" };
  if (entries !== undefined) return collect(entries.list.find(json.value), (entry) => readEntry(entry, entries));
  const sum = total?.find(json.value)[0];
  const amount = readAmount(sum);
  if (amount === undefined)
    return { unreadable: `${total?.text} is ${show(sum)}, which is not shillings in whole cents` };
  const before = readAmount(fill(since ?? "0", values));
  if (before === undefined)
    return { unreadable: `the total before is ${show(since)}, which is not shillings in whole cents` };
  return { total: subtractKes(amount, before) };
}

function readEntry(entry: unknown, { request_id, amount }: JsonEntries): Read<BookEntry> {
  return entryOf({ id: request_id.find(entry)[0], sum: amount.find(entry)[0] }, [request_id.text, amount.text]);
}

function readCsv(text: string, { request_id, amount }: CsvColumns): Read<Books> {
  const [names = [], ...rows] = parseCsv(text);
  const [idAt, sumAt] = [names.indexOf(request_id), names.indexOf(amount)];
  if (idAt < 0 || sumAt < 0)
    return { unreadable: `the first line has no column ${idAt < 0 ? request_id : amount}, only ${names.join(", ")}` };
  return collect(rows, (row) => entryOf({ id: row[idAt], sum: row[sumAt]?.trim() }, [request_id, amount]));
}

function collect<Row>(rows: readonly Row[], read: (row: Row) => Read<BookEntry>): Read<Books> {
  const entries: BookEntry[] = [];
  for (const [index, row] of rows.entries()) {
    const entry = read(row);
    if ("unreadable" in entry) return { unreadable: `entry ${index + 1}: ${entry.unreadable}` };
    entries.push(entry);
  }
  return { entries };
}

function entryOf(
  { id, sum }: { id: unknown; sum: unknown },
  [idName, sumName]: readonly [string, string],
): Read<BookEntry> {
  if (typeof id !== "string" || id === "") return { unreadable: `${idName} is ${show(id)}, which is not a request_id` };
  const amount = readAmount(sum);
  return amount === undefined
    ? { unreadable: `${sumName} is ${show(sum)}, which is not shillings in whole cents` }
    : { requestId: id, amount };
}

function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}

/** One field, quoted or bare, with its delimiter (RFC 4180 §2). */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * Parses comma-separated CSV into rows of fields, skipping blank lines. Stops at text after a closing quote, or at a quote that is never
 * closed.
 */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const { field, end } of fieldsOf(text.replace(/^\uFEFF/, ""))) {
    row.push(field);
    if (end === ",") continue;
    if (row.length > 1 || field !== "") rows.push(row);
    row = [];
  }
  return rows;
}

function* fieldsOf(text: string): Generator<{ field: string; end: string }> {
  const pattern = new RegExp(FIELD);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, quoted, bare = "", end = ""] = match;
    yield { field: quoted === undefined ? bare : quoted.replaceAll('""', '"'), end };
    if (end === "") return;
  }
}
