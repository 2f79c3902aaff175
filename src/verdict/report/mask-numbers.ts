import type { TrialReport } from "./report.ts";
import type { Verdict } from "../verdict.ts";

/** Hides three digits of each phone number in a trial, wherever a report shows it. Reports are passed on and kept. */
export function maskNumbers(trial: TrialReport): TrialReport {
  const known = masked.get(trial);
  if (known !== undefined) return known;
  const { faults, phone_number, verdicts, exchanges } = trial;
  const changed = {
    ...trial,
    faults: mask(faults),
    phone_number: phone_number && mask(phone_number),
    verdicts: verdicts.map(maskVerdict),
    exchanges: exchanges.map(({ title, outcome, rules, answer, ...same }) => ({
      ...same,
      title: mask(title),
      outcome: mask(outcome),
      rules: rules && mask(rules),
      answer: answer && mask(answer),
    })),
  };
  masked.set(trial, changed).set(changed, changed);
  return changed;
}

/** A growing report contains its earlier trials each time. */
const masked = new WeakMap<TrialReport, TrialReport>();

function maskVerdict({ title, seen, truths, follows, ...same }: Verdict): Verdict {
  return {
    ...same,
    title: mask(title),
    seen: mask(seen),
    truths: truths && { says: mask(truths.says), got: mask(truths.got), paid: mask(truths.paid) },
    follows: follows.map((one) => ({ ...one, seen: mask(one.seen) })),
  };
}

/** What may stand before a number in a JSON text or a URL, and ends with a letter or a digit: \n254712345678, %2B254712345678. */
const ESCAPE = /(?<=\\[nrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2})/;

/** A Kenyan mobile number, as the gateway or a customer writes it: 254712345678, +254712345678, 0712 345 678. An example of one stays. */
const NUMBER = new RegExp(
  String.raw`(?:(?<![^\W_]|-|such as ")|${ESCAPE.source})((?:\+?254|0)[ -]?[17]\d\d[ -]?)\d{3}([ -]?\d{3})(?![^\W_])`,
  "g",
);

function mask(text: string): string {
  return text.replace(NUMBER, "$1***$2");
}
