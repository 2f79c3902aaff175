import { INITIAL_STATE, type When } from "../../domain/scenario.ts";
import { formatDuration } from "../../domain/time.ts";
import type { Matcher } from "./matcher.ts";

type During = NonNullable<When["during"]>;

export const during: Matcher<During> = {
  key: "during",
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
  print: (state) => state,
  compile:
    (wanted) =>
    (_, { state = INITIAL_STATE }) =>
      state === wanted,
  difference: (wanted, _, { state = INITIAL_STATE }) => `the scenario is in ${state}, not in ${wanted}`,
};

export const probability: Matcher<number> = {
  key: "probability",
  print: (share) => share,
  compile: (share, label) => {
    if (share >= 1) return () => true;
    const purpose = `${label} probability`;
    return ({ draws }) => draws.draw(purpose) < share;
  },
  difference: (share) => `the draw was not among the ${share} that the rule takes`,
};
