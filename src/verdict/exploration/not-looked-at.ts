import { formatDuration } from "../../gateway/domain/time.ts";
import { PATIENCE_MILLIS } from "../trial/pace.ts";
import type { AppMap } from "../application/app-map.ts";

/** Says what the app map leaves unseen, and what no exploration sees. */
export function notLookedAt(map: AppMap, patience = map.settle ?? PATIENCE_MILLIS): string[] {
  return [
    ...(map.restart === undefined ? ["restarts (no restart in the map)"] : []),
    ...(map.status === undefined ? ["what the application says of an order (no status)"] : []),
    ...(map.balance === undefined ? ["money (no balance)"] : []),
    ...(map.books === undefined ? ["books (no books)"] : []),
    ...(map.callbacks.airtime === undefined && map.callbacks.sms === undefined ? ["callbacks (no callbacks)"] : []),
    `timers longer than ${formatDuration(patience)}`,
  ];
}
