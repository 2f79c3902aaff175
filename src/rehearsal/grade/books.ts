import { cents, type Kes, parseKes, subtractKes } from "../../domain/kes.ts";
import type { BooksForm } from "../rehearsal.ts";
import { readJson } from "../reply.ts";
import { parseCsv } from "./csv.ts";

/** What an application says it was charged. */
export type Books = { readonly total: Kes } | { readonly entries: readonly BookEntry[] };

export interface BookEntry {
  readonly requestId: string;
  readonly amount: Kes;
}

type Read<Value> = Value | { readonly unreadable: string };

/** Reads books out of an answer; what is no amount or has no request_id makes them unreadable, and says where. */
export function readBooks(text: string, form: BooksForm): Read<Books> {
  if (form.as === "csv") return readCsv(text, form);
  const json = readJson(text);
  if (json === undefined) return { unreadable: "the answer is not JSON" };
  if (form.as === "json") return collect(form.list.find(json.value), (entry) => readEntry(entry, form));
  const [sum] = form.total.find(json.value);
  const total = readAmount(sum);
  if (total === undefined) return { unreadable: `${form.total.text} is ${show(sum)}, which is not shillings in whole cents` };
  const before = readAmount(form.since ?? "0");
  if (before === undefined) return { unreadable: `what they were before is ${show(form.since)}, which is not shillings in whole cents` };
  return { total: subtractKes(total, before) };
}

function readEntry(entry: unknown, { requestId, amount }: Extract<BooksForm, { as: "json" }>): Read<BookEntry> {
  return entryOf({ id: requestId.find(entry)[0], sum: amount.find(entry)[0] }, [requestId.text, amount.text]);
}

function readCsv(text: string, { requestId, amount }: Extract<BooksForm, { as: "csv" }>): Read<Books> {
  const [names = [], ...rows] = parseCsv(text);
  const [idAt, sumAt] = [names.indexOf(requestId), names.indexOf(amount)];
  if (idAt < 0 || sumAt < 0)
    return { unreadable: `the first line has no column ${idAt < 0 ? requestId : amount}, only ${names.join(", ")}` };
  return collect(rows, (row) => entryOf({ id: row[idAt], sum: row[sumAt]?.trim() }, [requestId, amount]));
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

function entryOf({ id, sum }: { id: unknown; sum: unknown }, [idName, sumName]: readonly [string, string]): Read<BookEntry> {
  if (typeof id !== "string" || id === "") return { unreadable: `${idName} is ${show(id)}, which is no request_id` };
  const amount = readAmount(sum);
  return amount === undefined
    ? { unreadable: `${sumName} is ${show(sum)}, which is not shillings in whole cents` }
    : { requestId: id, amount };
}

/** A JSON number is taken by its shortest form, so that 0.1 + 0.2 is seen for what it is. */
function readAmount(value: unknown): Kes | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  const amount = parseKes(text.replace(/^-/, ""));
  return amount === undefined || !text.startsWith("-") ? amount : cents(-amount);
}

function show(value: unknown): string {
  return value === undefined ? "not there" : JSON.stringify(value);
}
