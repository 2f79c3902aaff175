import type { Delay } from "../domain/delay.ts";
import type { Comparison } from "../domain/scenario.ts";
import { formatDuration } from "../domain/time.ts";

/** The short form of a list: its one value. */
export function printOneOrMore(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values;
}

export function printComparison(comparison: Comparison, print: (number: number) => unknown): unknown {
  const bounds = Object.entries(comparison).map(([name, bound]) => [name, print(bound)] as const);
  const [only] = bounds;
  return only?.[0] === "eq" && bounds.length === 1 ? only[1] : Object.fromEntries(bounds);
}

export function printDelay(delay: Delay): unknown {
  if ("fixed" in delay) return formatDuration(delay.fixed);
  if ("uniform" in delay) return { uniform: delay.uniform.map(formatDuration) };
  return { lognormal: { median: formatDuration(delay.lognormal.median), sigma: delay.lognormal.sigma } };
}

/** A delay in words: `2s to 6s`. */
export function sayDelay(delay: Delay): string {
  if ("fixed" in delay) return formatDuration(delay.fixed);
  if ("uniform" in delay) return delay.uniform.map(formatDuration).join(" to ");
  return `about ${formatDuration(delay.lognormal.median)}`;
}

const WORDS = { eq: "", gt: "more than ", gte: "at least ", lt: "less than ", lte: "at most " } as const;

/** A comparison in words: `at least 100.00 and less than 200.00`. */
export function sayComparison(comparison: Comparison, say: (number: number) => string): string {
  const bounds = Object.entries(WORDS).flatMap(([name, words]) => {
    const bound = Object.entries(comparison).find(([key]) => key === name)?.[1];
    return bound === undefined ? [] : [words + say(bound)];
  });
  return bounds.join(" and ");
}

/** Cents as a file has them; a comparison's numbers carry no brand. */
export function printCents(count: number): string {
  return (count / 100).toFixed(2);
}
