import * as z from "zod";
import { addProblem, durationValue } from "../../document/values.ts";
import { formatDuration, type Millis } from "../../domain/time.ts";
import type { Matcher } from "./matcher.ts";

export interface During {
  readonly from: Millis;
  readonly to?: Millis;
}

export const during = {
  key: "during",
  summary: "A period of the scenario's time, counted from its start: { from: 30s, to: 2m }.",
  schema: z.lazy(() =>
    z
      .strictObject({
        from: durationValue.exactOptional().describe("Default 0s."),
        to: durationValue.exactOptional().describe("The end, exclusive. Default: no end."),
      })
      .transform(({ from = 0, to }): During => ({ from, to }))
      .superRefine(({ from, to = Infinity }, context) => {
        if (from >= to) addProblem(context, { problem: "is an empty period", repair: "make from smaller than to" });
      }),
  ),
  compile:
    ({ from, to = Infinity }) =>
    ({ at }, { since }) =>
      at - since >= from && at - since < to,
  difference: ({ from, to }, { at }, { since }) => {
    const stretch =
      to === undefined ? `past ${formatDuration(from)}` : `between ${formatDuration(from)} and ${formatDuration(to)}`;
    return `the scenario is at ${formatDuration(at - since)}, not ${stretch}`;
  },
} satisfies Matcher<"during", During>;
