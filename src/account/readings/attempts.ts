import { type Attempted, isBeginning } from "../events.ts";
import type { KeptEvents } from "./kept-events.ts";

/** Reads the tries to deliver callbacks out of a journal, oldest first. */
export function readAttempts({ events }: KeptEvents): Attempted[] {
  const begin = events.findLastIndex(isBeginning);
  return events.slice(Math.max(begin, 0)).filter((event) => event.kind === "attempted");
}
