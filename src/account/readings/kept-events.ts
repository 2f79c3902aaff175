import type { AccountEvent } from "../events.ts";

/** The events of a journal that are still there, or the last of them. */
export interface KeptEvents {
  /** The number of the first event. */
  readonly first: number;
  readonly events: readonly AccountEvent[];
}

export interface Numbered<Event = AccountEvent> {
  readonly number: number;
  readonly event: Event;
}

/** Each event with its number. */
export function numbered({ first, events }: KeptEvents): Numbered[] {
  return events.map((event, index) => ({ number: first + index, event }));
}
