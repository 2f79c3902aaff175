import * as z from "zod";
import { durationValue, readText } from "../gateway/document/values.ts";
import { type Instant, parseInstant } from "../gateway/domain/time.ts";

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

export function readMomentInQuery(text: string): Instant | undefined {
  return parseInstant(text.replace(/ (?=\d\d:\d\d$)/, "+"));
}

export function readCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
