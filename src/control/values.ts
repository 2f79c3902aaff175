import * as z from "zod";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { durationValue, readText } from "../gateway/document/values.ts";
import { type Instant, parseInstant } from "../gateway/domain/time.ts";

/** The default number of rows in a list. */
const ROWS = 100;
const MOST_ROWS = 10_000;

export const limitValue = readText(readLimit, {
  what: `a number of rows up to ${MOST_ROWS}`,
  repair: "write a whole number",
})
  .describe(`The maximum number of rows, up to ${MOST_ROWS}. Default ${ROWS}.`)
  .prefault(String(ROWS));

/** Whether a list of so many rows may be a large reading. */
export const isLongList = ({ limit }: { readonly limit: number }): boolean => limit > 10 * ROWS;

export const wholeNumber = readText(readCount, { what: "a whole number", repair: "write digits only" });

/** A moment in a query, where a plus sign not written as %2B arrives as a space. */
export const momentInQuery = readText(readMomentInQuery, {
  what: "a moment since 1970",
  repair: "write date, time and zone, like 2025-01-06T09:00:00+03:00",
});

export const withinValue = durationValue.describe("Wall time to wait.");

export const PROBLEM = z.object({
  status: z.int(),
  problem: z.string(),
  repair: z.string(),
  problems: z
    .array(
      z.object({
        path: z.string(),
        line: z.int().optional().describe("Counted from 1, in a submitted scenario."),
        column: z.int().optional(),
        problem: z.string(),
        repair: z.string(),
      }),
    )
    .optional(),
});

/** A list with the total number of rows and of evicted requests. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    items: z.array(row),
    total: z.int().describe("All matching rows, including those beyond the limit."),
    evicted: z.int().describe("Requests that can no longer be looked up."),
  });
}

/** Returns the first rows of a list. */
export function pageOf<Row, Shown>(
  { evicted }: RunningAccount,
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
) {
  return { items: rows.slice(0, limit).map(show), total: rows.length, evicted };
}

export function readMomentInQuery(text: string): Instant | undefined {
  return parseInstant(text.replace(/ (?=\d\d:\d\d$)/, "+"));
}

function readLimit(text: string): number | undefined {
  const count = readCount(text);
  return count === undefined || count > MOST_ROWS ? undefined : count;
}

function readCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
