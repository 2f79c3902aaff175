import { type JournalTable, SharedJournals } from "../../src/adapters/journal/shared-journals.ts";
import type { JournalSlice } from "../../src/account/readings/journal-slice.ts";
import type { JournalWrite } from "../../src/ports/journal-engine.ts";

/** Journals that replicas of one process share in memory. */
export function memoryJournals(now: () => number): SharedJournals {
  return new SharedJournals(memoryTable(), now);
}

function memoryTable(): JournalTable {
  const journals = new Map<string, JournalSlice>();
  const read: JournalTable["read"] = (_account, journal) => journals.get(journal) ?? { first: 1, events: [] };
  const write = (one: JournalWrite): void => {
    const { account, journal } = one.grant;
    if (one.kind === "drop") journals.delete(journal);
    else journals.set(journal, written(read(account, journal), one));
  };
  return { stored: [], read, write: (writes) => writes.forEach(write), close: () => {} };
}

function written(
  { first, events }: JournalSlice,
  { events: added, trim }: Extract<JournalWrite, { kind: "append" }>,
): JournalSlice {
  if (trim === undefined) return { first, events: [...events, ...added] };
  return {
    first: trim.through,
    events: [trim.snapshot, ...events.slice(Math.max(0, trim.through + 1 - first)), ...added],
  };
}
