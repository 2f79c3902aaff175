import * as z from "zod";
import { readText } from "../gateway/document/values.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { HttpProblem } from "./problem.ts";
import { readCount } from "./values.ts";

/** The default number of rows of a page. */
const ROWS = 100;
const MAX_ROWS = 10_000;

interface Cursor {
  /** Tells the runs of an account apart: the number of the event before its opening. */
  readonly run: number;
  /** The key of the last row of the page before. */
  readonly key: number;
}

/** The part of a list's query that selects a page, the same for every list that has pages. */
export const pageQuery = {
  limit: readText(readLimit, { what: `a number of rows from 1 to ${MAX_ROWS}`, repair: "write a whole number" })
    .describe(`The maximum number of rows of a page, from 1 to ${MAX_ROWS}. Default ${ROWS}.`)
    .prefault(String(ROWS)),
  cursor: readText(readCursor, { what: "a cursor of a list", repair: "write the `next` of the page before" })
    .describe(
      "The page after another: the `next` of that one, with the same other parameters. 410 if the account started over since.",
    )
    .exactOptional(),
};

const shape = z.object(pageQuery);

/** Which page of a list is wanted. */
export type PageQuery = z.output<typeof shape>;

/** Whether a page of so many rows may be a large response. */
export const isLongPage = ({ limit }: Pick<PageQuery, "limit">): boolean => limit > 10 * ROWS;

const next = z.string().nullable().describe("The cursor of the next page; null on the last one.");
const total = z.int().describe("All matching rows, on whichever page.");

/** A page of a list whose rows the account keeps for good. */
export function pageShape<Row extends z.ZodType>(row: Row) {
  return z.object({ items: z.array(row), total, next });
}

/** A page of a list, with the number of evicted requests. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return pageShape(row).extend({ evicted: z.int().describe("Requests that can no longer be looked up.") });
}

/** The rows of a list in its order. The keys of rows ascend; each keeps its key while others come and go, so that pages neither repeat nor skip a row. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => number;
}

/** Newest first: the number of a row's event, counted down. */
export function newestFirst<Row extends { readonly number: number }>(rows: readonly Row[]): Rows<Row> {
  return { rows: rows.toReversed(), keyOf: ({ number }) => -number };
}

/** Returns the wanted page of a list, as `listOf` describes it. */
export function listPage<Row, Shown>(
  account: RunningAccount,
  ...list: [rows: Rows<Row>, wanted: PageQuery, show: (row: Row) => Shown]
) {
  return { ...pageOf(account, ...list), evicted: account.journal.evicted };
}

/** Returns the wanted page of a list, as `pageShape` describes it. */
export function pageOf<Row, Shown>(
  account: RunningAccount,
  { rows, keyOf }: Rows<Row>,
  { limit, cursor }: PageQuery,
  show: (row: Row) => Shown,
) {
  const run = account.journal.version - account.state.events;
  if (cursor !== undefined && cursor.run !== run) throw startedOver();
  const left = cursor === undefined ? rows : rows.filter((row) => keyOf(row) > cursor.key);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const isLast = last === undefined || page.length === left.length;
  return {
    items: page.map(show),
    total: rows.length,
    next: isLast ? null : `${run}_${keyOf(last)}`,
  };
}

function startedOver(): HttpProblem {
  return new HttpProblem(410, [
    "cursor: the account started over since it was given",
    "list again from the first page, without a cursor",
  ]);
}

function readLimit(text: string): number | undefined {
  const count = readCount(text);
  return count === undefined || count === 0 || count > MAX_ROWS ? undefined : count;
}

function readCursor(text: string): Cursor | undefined {
  const [, run, key] = /^(-?\d{1,15})_(-?\d{1,15})$/.exec(text) ?? [];
  return run === undefined || key === undefined ? undefined : { run: Number(run), key: Number(key) };
}
