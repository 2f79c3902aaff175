import { formatDuration } from "../../gateway/domain/time.ts";
import { PATIENCE_MILLIS } from "../trial/pace.ts";
import type { AppMap } from "../application/app-map.ts";
import { FAULTS } from "../faults.ts";
import { SPECIAL_TRIAL_IDS } from "./special-trials.ts";

/** Says what the app map leaves unseen, and what no exploration sees. */
export function notLookedAt(
  map: AppMap,
  patience = map.settle ?? PATIENCE_MILLIS,
  chosen?: readonly string[],
): string[] {
  const others = chosen === undefined ? 0 : FAULTS.length + SPECIAL_TRIAL_IDS.length - new Set(chosen).size;
  const { airtime, sms } = map.callbacks;
  const unseen = {
    [`${others} other faults (not chosen)`]: others === 0,
    "restarts (no restart in the map)": map.restart !== undefined,
    "what the application says of an order (no status)": map.status !== undefined,
    "money (no balance)": map.balance !== undefined,
    "books (no books)": map.books !== undefined,
    "callbacks (no callbacks)": airtime !== undefined || sms !== undefined,
    [`timers longer than ${formatDuration(patience)}`]: false,
  };
  return Object.entries(unseen).flatMap(([words, isSeen]) => (isSeen ? [] : [words]));
}
