import type { AccountEvent } from "../account/events.ts";
import type { JournalStore, Reading } from "../ports/journal-store.ts";

interface Journal {
  /** The number of the last evicted event; the snapshot has it. */
  through: number;
  snapshot: (() => AccountEvent) | undefined;
  readonly events: AccountEvent[];
}

/** Journals in this process's memory, gone with it; it may begin with those that were read from elsewhere. */
export function memoryJournalStore(kept: Iterable<readonly [string, Reading]> = []): MemoryJournalStore {
  const journals = new Map(Array.from(kept, ([account, reading]) => [account, journalFrom(reading)]));
  return {
    isLasting: false,
    append: (account, version, events) => append(journalOf(journals, account), version, events),
    read: (account, after) => read(journalOf(journals, account), after),
    trim: (account, through, snapshot) => trim(journalOf(journals, account), through, snapshot),
    drop: (account) => void journals.delete(account),
    list: () => [...journals].filter(([, { through, events }]) => through + events.length > 0).map(([account]) => account),
    secured: () => undefined,
  };
}

/** It answers at once. */
export interface MemoryJournalStore extends JournalStore {
  append(...appended: Parameters<JournalStore["append"]>): boolean;
  read(account: string, after: number): Reading;
  list(): readonly string[];
}

/** Whatever came before its first event is gone, and that event stands for it. */
function journalFrom({ first, events: [beginning, ...rest] }: Reading): Journal {
  if (beginning === undefined) return { through: first - 1, snapshot: undefined, events: [] };
  return { through: first, snapshot: () => beginning, events: rest };
}

function append(journal: Journal, version: number, events: readonly AccountEvent[]): boolean {
  if (journal.through + journal.events.length !== version) return false;
  for (const event of events) journal.events.push(event);
  return true;
}

function read({ through, snapshot, events }: Journal, after: number): Reading {
  if (after < through && snapshot !== undefined) return { first: through, events: [snapshot(), ...events] };
  return { first: Math.max(after, through) + 1, events: events.slice(Math.max(0, after - through)) };
}

function trim(journal: Journal, through: number, snapshot: () => AccountEvent): void {
  if (through < journal.through) return;
  journal.events.splice(0, through - journal.through);
  journal.through = through;
  journal.snapshot = snapshot;
}

function journalOf(journals: Map<string, Journal>, account: string): Journal {
  const known = journals.get(account);
  if (known !== undefined) return known;
  const fresh: Journal = { through: 0, snapshot: undefined, events: [] };
  journals.set(account, fresh);
  return fresh;
}
