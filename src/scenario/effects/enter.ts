import { stateValue } from "../values.ts";
import type { Effect } from "./effect.ts";

export const enter: Effect<string> = {
  summary: "Moves the scenario to a named state, which `in` asks for; every scenario begins in `start`.",
  schema: stateValue,
  print: (state) => state,
  tell: (state) => `enters ${state}`,
};
