import type { AccountEvent, Snapshot } from "../account-event.ts";

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
  const earlier = start?.event.kind === "snapshot" ? earlierEvents(start.event, start.number) : [];
  return earlier.length === 0 ? all : [...earlier, ...all.slice(1)];
}

/** Returns the events that a snapshot keeps from before, with the numbers that they have in its journal. */
export function earlierEvents({ earlier = [] }: Snapshot, number: number): Numbered<Earlier>[] {
  // In another account, where a journal is imported, its numbers may have been lower.
  const by = Math.min(0, number - 1 - (earlier.at(-1)?.number ?? 0));
  return earlier.map((one) => ({ number: one.number + by, event: one.event }));
}

export type Earlier = NonNullable<Snapshot["earlier"]>[number]["event"];

export function numbered({ first, events }: JournalSlice): Numbered[] {
  return events.map((event, index) => ({ number: first + index, event }));
}
