import type { AccountEvent } from "../account/events.ts";
import type { JournalStore, Reading } from "../ports/journal-store.ts";
import { explainFault, type KeptJournal, openJournalFile } from "./journal-file.ts";
import { type MemoryJournalStore, memoryJournalStore } from "./memory-journal-store.ts";
import type { Database, Statement } from "./node-sqlite.ts";
import { WriteBatch } from "./write-batch.ts";

/** What the file has of one account. */
interface Shelf {
  readonly id: number;
  /** The number of the first event in the file, which may hold more than is kept. */
  first: number;
  /** The number of the last event. */
  version: number;
  /** A trim that the file has still to follow. */
  trim?: { readonly through: number; readonly snapshot: () => AccountEvent };
}

/** Events that the file holds beyond what is kept, before it is trimmed too: a snapshot of a full account is dear to write. */
const LEFT_BEHIND = 10_000;

/**
 * Journals in a file of SQLite. This process alone has the file, so what is read comes from a copy in memory; what is taken
 * is written in the same turn of the event loop and committed at its end.
 */
export class SqliteJournalStore implements JournalStore {
  readonly isLasting = true;
  readonly #database: Database;
  readonly #copy: MemoryJournalStore;
  readonly #shelves: Map<string, Shelf>;
  readonly #batch: WriteBatch;
  readonly #insert: Statement;
  #lastId: number;

  /** Throws an `UnusableFile`, and then has changed nothing. */
  constructor(path: string) {
    const { database, kept } = openJournalFile(path);
    this.#database = database;
    this.#copy = memoryJournalStore(kept.map((journal) => [journal.account, journal]));
    this.#shelves = new Map(kept.map((journal) => [journal.account, shelfOf(journal)]));
    this.#lastId = kept.at(-1)?.id ?? 0;
    this.#batch = new WriteBatch(database, (fault) => explainFault(path, fault));
    this.#insert = database.prepare("INSERT INTO event (journal, number, body) VALUES (?, ?, ?)");
  }

  append(account: string, version: number, events: readonly AccountEvent[]): boolean {
    const known = this.#shelves.get(account);
    if ((known?.version ?? 0) !== version) return false;
    const shelf = known ?? this.#addShelf(account);
    this.#batch.write(() => {
      for (const [index, event] of events.entries()) this.#insert.run(shelf.id, version + index + 1, JSON.stringify(event));
    });
    shelf.version += events.length;
    return this.#copy.append(account, version, events);
  }

  read(account: string, after: number): Reading {
    return this.#copy.read(account, after);
  }

  trim(account: string, through: number, snapshot: () => AccountEvent): void {
    void this.#copy.trim(account, through, snapshot);
    const shelf = this.#shelves.get(account);
    if (shelf === undefined || through < (shelf.trim?.through ?? shelf.first)) return;
    shelf.trim = { through, snapshot };
    if (through - shelf.first >= LEFT_BEHIND) this.#follow(shelf);
  }

  drop(account: string): void {
    const shelf = this.#shelves.get(account);
    if (shelf === undefined) return;
    this.#batch.write(() => {
      this.#database.prepare("DELETE FROM event WHERE journal = ?").run(shelf.id);
      this.#database.prepare("DELETE FROM journal WHERE id = ?").run(shelf.id);
    });
    this.#shelves.delete(account);
    void this.#copy.drop(account);
  }

  list(): readonly string[] {
    return this.#copy.list();
  }

  secured(): Promise<void> | undefined {
    return this.#batch.secured();
  }

  /** Writes down what is left to write, and gives the file free. */
  close(): void {
    try {
      for (const shelf of this.#shelves.values()) this.#follow(shelf);
      this.#batch.commit();
    } finally {
      this.#database.close();
    }
  }

  #addShelf(account: string): Shelf {
    const shelf: Shelf = { id: this.#lastId + 1, first: 1, version: 0 };
    this.#batch.write(() => this.#database.prepare("INSERT INTO journal (id, account) VALUES (?, ?)").run(shelf.id, account));
    this.#lastId = shelf.id;
    this.#shelves.set(account, shelf);
    return shelf;
  }

  #follow(shelf: Shelf): void {
    const { id, first, trim } = shelf;
    if (trim === undefined || trim.through < first) return;
    this.#batch.write(() => {
      this.#database.prepare("DELETE FROM event WHERE journal = ? AND number <= ?").run(id, trim.through);
      this.#insert.run(id, trim.through, JSON.stringify(trim.snapshot()));
    });
    shelf.first = trim.through;
    delete shelf.trim;
  }
}

function shelfOf({ id, first, events }: KeptJournal): Shelf {
  return { id, first, version: first + events.length - 1 };
}
