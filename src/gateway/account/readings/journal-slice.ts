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

export function numbered({ first, events }: JournalSlice): Numbered[] {
  return events.map((event, index) => ({ number: first + index, event }));
}
