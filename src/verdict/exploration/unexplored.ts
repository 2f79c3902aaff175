import { formatDuration } from "../../gateway/domain/time.ts";
import { PATIENCE_MILLIS } from "../trial/pace.ts";
import type { AppMap } from "../application/app-map.ts";
import { FAULTS } from "../faults.ts";
import { PROFILE_TRIAL_IDS } from "../profile-trials.ts";
import { EXPERIMENT_NAMES } from "./experiments.ts";
import { counted } from "../../gateway/domain/counted.ts";

/** Says what the app map leaves unseen, and what no exploration sees. */
export function describeUnexplored(
  map: AppMap,
  patience = map.settle ?? PATIENCE_MILLIS,
  chosen?: readonly string[],
): string[] {
  const unseen = {
    ...(chosen && describeOmitted(chosen)),
    "restarts (no restart in the map)": map.restart !== undefined,
    "what the application says of an order (no status)": map.status !== undefined,
    "money (no balance)": map.balance !== undefined,
    "books (no books)": map.books !== undefined,
    "callbacks (no callbacks)": Object.keys(map.callbacks).length > 0,
    [`timers longer than ${formatDuration(patience)}`]: false,
  };
  return Object.entries(unseen).flatMap(([words, isSeen]) => (isSeen ? [] : [words]));
}

function describeOmitted(chosen: readonly string[]): Record<string, boolean> {
  const isOmitted = (id: string): boolean => !chosen.includes(id);
  const faults = FAULTS.filter(({ id }) => isOmitted(id)).length;
  const [trials, profiles] = [EXPERIMENT_NAMES.filter(isOmitted), PROFILE_TRIAL_IDS.filter(isOmitted)];
  return {
    [`${counted(faults, "other fault")} (not chosen)`]: faults === 0,
    [`other trials (not chosen: ${trials.join(", ")})`]: trials.length === 0,
    [`other profiles of the gateway (not chosen: ${profiles.join(", ")})`]: profiles.length === 0,
  };
}
