import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { complain, durationValue } from "../../document/values.ts";
import { INITIAL_STATE, type When } from "../../domain/scenario.ts";
import { formatDuration } from "../../domain/time.ts";
import { stateValue } from "../values.ts";
import type { Matcher } from "./matcher.ts";

type During = NonNullable<When["during"]>;

const stretch = z.lazy(() =>
  z
    .strictObject({
      from: optionalKey("Default 0s.", () => durationValue),
      to: optionalKey("This moment is no longer part of it. Default: without end.", () => durationValue),
    })
    .transform(({ from = 0, to }): During => ({ from, ...(to !== undefined && { to }) }))
    .superRefine(({ from, to = Infinity }, context) => {
      if (from >= to) complain(context, { problem: "is over before it begins", repair: "write from and to with from the smaller" });
    }),
);

export const during: Matcher<During> = {
  key: "during",
  summary: "A stretch of the scenario's time, which begins when it is activated: { from: 30s, to: 2m }.",
  schema: stretch,
  print: ({ from, to }) => ({ from: formatDuration(from), ...(to !== undefined && { to: formatDuration(to) }) }),
  compile:
    ({ from, to = Infinity }) =>
    ({ at }, { since }) =>
      at - since >= from && at - since < to,
  difference: ({ from, to }, { at }, { since }) =>
    `the scenario is at ${formatDuration(at - since)}, not ${to === undefined ? "past" : "between"} ${formatDuration(from)}${to === undefined ? "" : ` and ${formatDuration(to)}`}`,
};

export const inState: Matcher<string> = {
  key: "in",
  summary: "The named state that the scenario is in; `enter` moves it, and every scenario begins in `start`.",
  schema: stateValue,
  print: (state) => state,
  compile:
    (wanted) =>
    (_, { state = INITIAL_STATE }) =>
      state === wanted,
  difference: (wanted, _, { state = INITIAL_STATE }) => `the scenario is in ${state}, not in ${wanted}`,
};

export const probability: Matcher<number> = {
  key: "probability",
  summary: "The share of requests, 0 to 1; which ones, the seed decides.",
  schema: z.number().min(0).max(1),
  print: (share) => share,
  compile: (share, label) => {
    if (share >= 1) return () => true;
    const purpose = `${label} probability`;
    return ({ draws }) => draws.draw(purpose) < share;
  },
  difference: (share) => `the draw was not among the ${share} that the rule takes`,
};
