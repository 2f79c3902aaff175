import { quoteText } from "../../gateway/document/describe-value.ts";
import { type Millis, parseDuration } from "../../gateway/domain/time.ts";
import { callbackUrlValue } from "../../gateway/settings/callbacks.ts";
import { invalidInput } from "./cli-error.ts";
import type { ParsedArgs } from "./command.ts";

/** Returns the duration given by a flag, or the default. */
export function durationFlag<Otherwise extends Millis | undefined>(
  { flags }: ParsedArgs,
  name: string,
  otherwise: Otherwise,
): Millis | Otherwise {
  const text = flags.get(name);
  return text === undefined ? otherwise : readDuration(text, `--${name}`);
}

/** Throws a CliError if the text is not a duration. */
export function readDuration(text: string, place: string): Millis {
  const millis = parseDuration(text);
  if (millis !== undefined) return millis;
  throw invalidInput(place, describeInvalidDuration(text));
}

export function describeInvalidDuration(text: string): { problem: string; repair: string } {
  return { problem: `${quoteText(text)} is not a duration`, repair: "write a duration like 500ms, 30s, 10m or 1h30m" };
}

/** Returns the whole number given by a flag, or the default. */
export function numberFlag<Otherwise extends number | undefined>(
  { flags }: ParsedArgs,
  name: string,
  [min, max]: readonly [min: number, max: number],
  otherwise: Otherwise,
): number | Otherwise {
  const text = flags.get(name);
  if (text === undefined) return otherwise;
  if (/^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw invalidInput(`--${name}`, {
    problem: `${quoteText(text)} is not valid`,
    repair: `write a whole number from ${min} to ${max}`,
  });
}

/** Throws a CliError if callbacks cannot be sent to the URL. */
export function readCallbackUrl(text: string, place: string): string {
  if (callbackUrlValue.safeParse(text).success) return text;
  const isSchemeMissing = !text.includes("//") && callbackUrlValue.safeParse(`http://${text}`).success;
  throw invalidInput(place, {
    problem: `${quoteText(text)} is not a URL that can be called`,
    repair: isSchemeMissing ? `did you mean http://${text}?` : "write a URL like http://localhost:3000/hooks",
  });
}
