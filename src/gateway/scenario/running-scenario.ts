import type * as z from "zod";
import type { runningScenario, settingsBefore } from "../account/event-values.ts";
import type { Immutable } from "../domain/immutable.ts";

/** The scenario that is on by default. It always has the lowest priority. */
export const DEFAULT_SCENARIO = "magic-numbers";

export type RunningScenario = Immutable<z.output<typeof runningScenario>>;

export type SettingsBefore = Immutable<z.output<typeof settingsBefore>>;
