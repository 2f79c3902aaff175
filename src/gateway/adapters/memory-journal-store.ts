import { randomUUID } from "node:crypto";
import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { JournalStore } from "../ports/journal-store.ts";

interface Journal {
  readonly id: string;
  /** The number of the last evicted event, which the snapshot includes. */
  through: number;
  snapshot: (() => AccountEvent) | undefined;
  readonly events: AccountEvent[];
}

export interface MemoryJournalStore extends JournalStore {
  /** Takes over a journal that was read elsewhere. */
  own(account: string, slice: JournalSlice): void;
  /** Returns the number of the last evicted event, and the snapshot that replaces the events up to it. */
  trimmed(account: string): Pick<Journal, "through" | "snapshot">;
}

/** Stores journals in this process's memory. */
export function memoryJournalStore(): MemoryJournalStore {
  const journals = new Map<string, Journal>();
  return {
    isLasting: false,
    begin: async () => true,
    append: (account, events) => append(journalOf(journals, account), events),
    read: (account, after) => read(journalOf(journals, account), after),
    trim: (account, through, snapshot) => trim(journalOf(journals, account), through, snapshot),
    drop: (account) => void journals.delete(account),
    list: () =>
      [...journals].filter(([, { through, events }]) => through + events.length > 0).map(([account]) => account),
    id: (account) => journalOf(journals, account).id,
    secured: () => SECURED,
    dropped: () => SECURED,
    trimmed: (account) => journalOf(journals, account),
    own: (account, slice) => void journals.set(account, journalFrom(slice)),
  };
}

const SECURED = Promise.resolve();

/** The first event replaces everything before it. */
function journalFrom({ first, events: [start, ...rest] }: JournalSlice): Journal {
  if (start === undefined) return { id: randomUUID(), through: first - 1, snapshot: undefined, events: [] };
  return { id: randomUUID(), through: first, snapshot: () => start, events: rest };
}

/** Pushes one event at a time, because an import may have more events than a call may have arguments. */
function append({ events: kept }: Journal, events: readonly AccountEvent[]): void {
  for (const event of events) kept.push(event);
}

function read({ through, snapshot, events }: Journal, after: number): JournalSlice {
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
  const fresh: Journal = { id: randomUUID(), through: 0, snapshot: undefined, events: [] };
  journals.set(account, fresh);
  return fresh;
}
