import { INITIAL_STATE } from "../rule-request.ts";
import { stateValue } from "../values.ts";
import type { Matcher } from "./matcher.ts";

export const inState: Matcher<"in", string> = {
  key: "in",
  summary: "The named state that the scenario is in; `enter` moves it, and every scenario begins in `start`.",
  schema: stateValue,
  compile:
    (wanted) =>
    (_, { state = INITIAL_STATE }) =>
      state === wanted,
  difference: (wanted, _, { state = INITIAL_STATE }) => `the scenario is in ${state}, not in ${wanted}`,
};
