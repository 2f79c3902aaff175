import { stateValue } from "../values.ts";
import type { Effect } from "./effect.ts";

export const enter: Effect<"enter", string> = {
  key: "enter",
  summary: "Moves the scenario to a named state, which `in` matches; every scenario begins in `start`.",
  schema: stateValue,
  isOfScenario: true,
};
