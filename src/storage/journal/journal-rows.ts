import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";

/** Events that were written together: a JSON list, and the number of its last event. */
export interface JournalRow {
  readonly last: number;
  readonly body: string;
}

/** Returns the events of an account's rows, in order. After a trim, the first row starts with the snapshot. Throws if an event is missing. */
export function readRows(account: string, rows: readonly JournalRow[]): JournalSlice {
  const events: AccountEvent[] = [];
  let first = 1;
  for (const [index, row] of rows.entries()) {
    const written = readEvents(account, row);
    const begin = row.last - written.length + 1;
    if (index === 0) first = begin;
    const next = first + events.length;
    if (begin > next) throw new Error(`event ${next} of ${account} is missing`);
    // The snapshot contains the events before it.
    for (const event of written.slice(next - begin)) events.push(event);
  }
  return { first, events };
}

/** Checks only that these are events; folding the journal checks their content. */
function readEvents(account: string, { last, body }: JournalRow): AccountEvent[] {
  const written: unknown = JSON.parse(body);
  if (!Array.isArray(written) || !written.every(isEvent))
    throw new Error(`the events of ${account} up to ${last} cannot be read`);
  return written;
}

function isEvent(value: unknown): value is AccountEvent {
  return (
    typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string" && "at" in value
  );
}
