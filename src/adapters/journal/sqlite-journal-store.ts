import { randomUUID } from "node:crypto";
import type { AccountEvent } from "../../account/account-event.ts";
import type { JournalSlice } from "../../account/readings/journal-slice.ts";
import type { JournalStore, StoreOutage } from "../../ports/journal-store.ts";
import { explainOutage, type KeptJournal, openJournalFile } from "./journal-file.ts";
import { LEFT_BEHIND, memoryJournalStore } from "./memory-journal-store.ts";
import type { Database, Statement } from "./node-sqlite.ts";
import { WriteBatch } from "./write-batch.ts";

/** What the file has of one account. */
interface StoredJournal {
  readonly id: number;
  readonly name: string;
  /** The number of the first event in the file, which may hold more than is kept. */
  first: number;
  /** The number of the last event. */
  version: number;
  /** A trim that the file has still to follow. */
  trim?: { readonly through: number; readonly snapshot: () => AccountEvent };
}

/** How often a store that could not write tries again. */
const RETRY_MILLIS = 1_000;

/**
 * Journals in a file of SQLite. This process alone has the file, so what is read comes from a copy in memory; what is taken
 * is written in the same turn of the event loop and committed at its end.
 */
export class SqliteJournalStore implements JournalStore {
  readonly isLasting = true;
  readonly #database: Database;
  readonly #copy: JournalStore;
  readonly #journals: Map<string, StoredJournal>;
  readonly #batch: WriteBatch;
  readonly #insert: Statement;
  #lastId: number;
  #retry: NodeJS.Timeout | undefined;

  /** Throws an `UnusableFile`, and then has changed nothing. */
  constructor(path: string) {
    const { database, kept } = openJournalFile(path);
    this.#database = database;
    this.#copy = memoryJournalStore(kept.map((journal) => [journal.account, journal]));
    this.#journals = new Map(kept.map((journal) => [journal.account, storedJournalOf(journal)]));
    this.#lastId = kept.at(-1)?.id ?? 0;
    this.#batch = new WriteBatch(database, (fault) => {
      this.#retry ??= setInterval(() => this.recover(), RETRY_MILLIS).unref();
      return explainOutage(path, fault);
    });
    this.#insert = database.prepare("INSERT INTO event (journal, number, body) VALUES (?, ?, ?)");
  }

  append(account: string, events: readonly AccountEvent[]): void {
    const journal = this.#journals.get(account) ?? this.#addJournal(account);
    this.#batch.write(() => {
      for (const [index, event] of events.entries()) this.#insert.run(journal.id, journal.version + index + 1, JSON.stringify(event));
    });
    journal.version += events.length;
    this.#copy.append(account, events);
  }

  read(account: string, after: number): JournalSlice {
    return this.#copy.read(account, after);
  }

  trim(account: string, through: number, snapshot: () => AccountEvent): void {
    this.#copy.trim(account, through, snapshot);
    const journal = this.#journals.get(account);
    if (journal === undefined || through < (journal.trim?.through ?? journal.first)) return;
    journal.trim = { through, snapshot };
    if (through - journal.first >= LEFT_BEHIND) this.#follow(journal);
  }

  drop(account: string): void {
    const journal = this.#journals.get(account);
    if (journal === undefined) return;
    this.#batch.write(() => {
      this.#database.prepare("DELETE FROM event WHERE journal = ?").run(journal.id);
      this.#database.prepare("DELETE FROM journal WHERE id = ?").run(journal.id);
    });
    this.#journals.delete(account);
    this.#copy.drop(account);
  }

  id(account: string): string {
    return (this.#journals.get(account) ?? this.#addJournal(account)).name;
  }

  list(): readonly string[] {
    return this.#copy.list();
  }

  /** Accounts share the batch: one commit secures them all. */
  secured(): Promise<void> {
    return this.#batch.secured();
  }

  outage(): StoreOutage | undefined {
    return this.#batch.outage;
  }

  /** Makes the file equal to the copy in memory, in which nothing was lost. */
  recover(): void {
    if (!this.#batch.recover(() => this.#writeLost())) return;
    clearInterval(this.#retry);
    this.#retry = undefined;
  }

  #writeLost(): void {
    const known = new Set([...this.#journals.values()].map(({ id }) => id));
    for (const row of this.#database.prepare("SELECT id FROM journal").iterate())
      if (!known.has(Number(row["id"]))) this.#database.prepare("DELETE FROM journal WHERE id = ?").run(Number(row["id"]));
    this.#database.exec("DELETE FROM event WHERE journal NOT IN (SELECT id FROM journal)");
    for (const [account, journal] of this.#journals) this.#writeLostOf(account, journal);
  }

  #writeLostOf(account: string, journal: StoredJournal): void {
    this.#database.prepare("INSERT OR IGNORE INTO journal (id, name, account) VALUES (?, ?, ?)").run(journal.id, journal.name, account);
    const range = "SELECT min(number) AS first, max(number) AS last FROM event WHERE journal = ?";
    const { first, last } = this.#database.prepare(range).get(journal.id) ?? {};
    const written = Number(last ?? 0);
    const lost = this.#copy.read(account, written);
    // Events that were evicted meanwhile are in the snapshot that the copy begins with.
    const isContinuous = lost.first === written + 1;
    if (!isContinuous) this.#database.prepare("DELETE FROM event WHERE journal = ?").run(journal.id);
    for (const [index, event] of lost.events.entries()) this.#insert.run(journal.id, lost.first + index, JSON.stringify(event));
    journal.first = isContinuous ? Number(first ?? lost.first) : lost.first;
  }

  /** Writes down what is left to write, and gives the file free. */
  close(): void {
    clearInterval(this.#retry);
    if (this.#batch.outage !== undefined) this.recover();
    try {
      for (const journal of this.#journals.values()) this.#follow(journal);
      this.#batch.commit();
    } finally {
      this.#database.close();
    }
  }

  #addJournal(account: string): StoredJournal {
    const journal: StoredJournal = { id: this.#lastId + 1, name: randomUUID(), first: 1, version: 0 };
    this.#batch.write(() =>
      this.#database.prepare("INSERT INTO journal (id, name, account) VALUES (?, ?, ?)").run(journal.id, journal.name, account),
    );
    this.#lastId = journal.id;
    this.#journals.set(account, journal);
    return journal;
  }

  #follow(journal: StoredJournal): void {
    const { id, first, trim } = journal;
    if (trim === undefined || trim.through < first) return;
    this.#batch.write(() => {
      this.#database.prepare("DELETE FROM event WHERE journal = ? AND number <= ?").run(id, trim.through);
      this.#insert.run(id, trim.through, JSON.stringify(trim.snapshot()));
    });
    journal.first = trim.through;
    delete journal.trim;
  }
}

function storedJournalOf({ id, name, first, events }: KeptJournal): StoredJournal {
  return { id, name, first, version: first + events.length - 1 };
}
