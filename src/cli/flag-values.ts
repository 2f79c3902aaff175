import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import { type Millis, parseDuration } from "../domain/time.ts";
import { Halt } from "./halt.ts";
import type { Said } from "./verb.ts";

/** The length of time that a flag gives, or what holds without the flag. */
export function durationFlag({ flags }: Said, name: string, otherwise: Millis): Millis {
  const text = flags.get(name);
  return text === undefined ? otherwise : readDuration(text, `--${name}`);
}

/** Halts when the text is not a length of time. */
export function readDuration(text: string, place: string): Millis {
  const millis = parseDuration(text);
  if (millis !== undefined) return millis;
  throw new Halt(
    2,
    formatMistake(place, {
      problem: `${quote(text)} is not a length of time`,
      repair: "write a number and its unit, like 500ms, 30s, 10m or 2h",
    }),
  );
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The whole number that a flag gives, or what holds without the flag. */
export function numberFlag({ flags }: Said, name: string, { min, max, otherwise }: Range & { readonly otherwise: number }): number {
  const text = flags.get(name);
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new Halt(
    2,
    formatMistake(`--${name}`, { problem: `${quote(text)} does not fit`, repair: `write a whole number from ${min} to ${max}` }),
  );
}
