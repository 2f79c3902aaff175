import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { carrierValue, complain, delayValue, durationValue } from "../../document/values.ts";
import { formatKes } from "../../domain/kes.ts";
import type { ResultEffect } from "../../domain/scenario.ts";
import { formatDuration } from "../../domain/time.ts";
import { printDelay, sayDelay } from "../say-values.ts";
import { shillingsValue, someOf } from "../values.ts";
import type { Effect } from "./effect.ts";

const written = z.lazy(() =>
  someOf(
    z.strictObject({
      result_code: optionalKey("The carrier's code; 200 is success.", () => z.int().min(1).max(999_999)),
      result_desc: optionalKey("The carrier's words.", () => z.string()),
      delay: optionalKey("Account time from acceptance to the result, instead of the carrier's latency.", () => delayValue),
      hold_until: optionalKey("Not before this moment, counted from when the scenario began.", () => durationValue),
      stuck: optionalKey("Never settles: the money stays held and no callback comes.", () => z.boolean()),
      carrier: optionalKey("The carrier that serves it, whoever owns the number.", () => carrierValue),
      charge: optionalKey("KES that are charged, at most what is held and available.", () => shillingsValue),
    }),
  ),
);

type Written = z.output<typeof written>;

/** What only a result that comes can have. */
const SETTLED = ["result_code", "result_desc", "delay", "hold_until", "charge"] as const;

export const result: Effect<ResultEffect> = {
  summary: "What the carrier makes of an accepted request: its code and words, when, whether at all, and what is charged.",
  schema: written.superRefine(checkStuck).transform(read),
  print: ({ resultCode, resultDesc, delay, holdUntil, charge, ...same }) => ({
    ...(resultCode !== undefined && { result_code: resultCode }),
    ...(resultDesc !== undefined && { result_desc: resultDesc }),
    ...(delay && { delay: printDelay(delay) }),
    ...(holdUntil !== undefined && { hold_until: formatDuration(holdUntil) }),
    ...same,
    ...(charge !== undefined && { charge: formatKes(charge) }),
  }),
  tell: (effect) => [...tellOutcome(effect), ...tellTime(effect)].join(", "),
};

function checkStuck(written: Written, context: z.RefinementCtx): void {
  const unseen = written.stuck === true ? SETTLED.find((key) => written[key] !== undefined) : undefined;
  if (unseen !== undefined)
    complain(context, { path: [unseen], problem: "has no meaning beside stuck: no result ever comes", repair: "keep one of the two" });
}

function read({ result_code: resultCode, result_desc: resultDesc, hold_until: holdUntil, ...same }: Written): ResultEffect {
  return {
    ...same,
    ...(resultCode !== undefined && { resultCode }),
    ...(resultDesc !== undefined && { resultDesc }),
    ...(holdUntil !== undefined && { holdUntil }),
  };
}

function tellOutcome({ resultCode, resultDesc, stuck, carrier, charge }: ResultEffect): string[] {
  return [
    ...(resultCode === undefined ? [] : [`result ${resultCode}`]),
    ...(resultDesc === undefined ? [] : [`described as ${JSON.stringify(resultDesc)}`]),
    ...(stuck === undefined ? [] : [stuck ? "never settles" : "settles"]),
    ...(carrier === undefined ? [] : [`served by ${carrier}`]),
    ...(charge === undefined ? [] : [`charged ${formatKes(charge)}`]),
  ];
}

function tellTime({ delay, holdUntil }: ResultEffect): string[] {
  return [
    ...(delay === undefined ? [] : [`result after ${sayDelay(delay)}`]),
    ...(holdUntil === undefined ? [] : [`result held until ${formatDuration(holdUntil)}`]),
  ];
}
