import type { AccountEvent } from "../account-event.ts";

/** Consecutive events of a journal; older ones may have been evicted. */
export interface JournalSlice {
  /** The number of the first event. */
  readonly first: number;
  readonly events: readonly AccountEvent[];
}

export interface Numbered<Event = AccountEvent> {
  readonly number: number;
  readonly event: Event;
}

/** Returns the events that readings show: instead of a snapshot, those that it keeps from before. */
export function shownEvents(kept: JournalSlice): Numbered[] {
  const all = numbered(kept);
  const [start] = all;
  const earlier = start?.event.kind === "snapshot" ? start.event.earlier : undefined;
  if (start === undefined || earlier === undefined) return all;
  // In another account, where a journal is imported, its numbers may have been lower.
  const by = Math.min(0, start.number - 1 - (earlier.at(-1)?.number ?? 0));
  return [...earlier.map(({ number, event }) => ({ number: number + by, event })), ...all.slice(1)];
}

export function numbered({ first, events }: JournalSlice): Numbered[] {
  return events.map((event, index) => ({ number: first + index, event }));
}
