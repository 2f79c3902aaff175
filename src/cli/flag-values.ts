import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { type Millis, parseDuration } from "../domain/time.ts";
import { type Fault, FAULTS, findFault } from "../scenario/faults.ts";
import { invalidInput } from "./cli-error.ts";
import type { ParsedArgs } from "./command.ts";

/** Returns the duration given by a flag, or the default. */
export function durationFlag({ flags }: ParsedArgs, name: string, otherwise: Millis): Millis {
  const text = flags.get(name);
  return text === undefined ? otherwise : readDuration(text, `--${name}`);
}

/** Throws a CliError if the text is not a duration. */
export function readDuration(text: string, place: string): Millis {
  const millis = parseDuration(text);
  if (millis !== undefined) return millis;
  throw invalidInput(place, {
    problem: `${quote(text)} is not a duration`,
    repair: "write a duration like 500ms, 30s, 10m or 1h30m",
  });
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Returns the whole number given by a flag, or the default. */
export function numberFlag(
  { flags }: ParsedArgs,
  name: string,
  { min, max, otherwise }: Range & { readonly otherwise: number },
): number {
  const text = flags.get(name);
  if (text === undefined) return otherwise;
  if (/^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw invalidInput(`--${name}`, {
    problem: `${quote(text)} is not valid`,
    repair: `write a whole number from ${min} to ${max}`,
  });
}

/** Returns the fault with this id. Throws a CliError if there is none. */
export function readFault(id: string, place: string): Fault {
  const fault = findFault(id);
  if (fault !== undefined) return fault;
  const meant = closestWord(
    id,
    FAULTS.map((known) => known.id),
  );
  const repair = meant === undefined ? "kredo trigger --list shows the faults" : `did you mean ${meant}?`;
  throw invalidInput(place, { problem: `${quote(id)} is not a fault`, repair });
}
