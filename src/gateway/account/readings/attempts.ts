import { isBeginning } from "../event-guards.ts";
import type { Attempted } from "../events.ts";
import type { JournalSlice } from "./journal-slice.ts";

/** Lists the callback attempts in a journal, oldest first. */
export function readAttempts({ events }: JournalSlice): Attempted[] {
  const begin = events.findLastIndex(isBeginning);
  return events.slice(Math.max(begin, 0)).filter((event) => event.kind === "attempted");
}
