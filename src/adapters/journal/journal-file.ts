import { closeSync, openSync, readSync } from "node:fs";
import type { JournalSlice } from "../../account/readings/journal-slice.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { JournalWrite } from "../../ports/journal-engine.ts";
import { StoreOutage } from "../../ports/journal-store.ts";
import { type JournalRow, readRows } from "./journal-rows.ts";
import { type Database, findSqlite, type Statement, UnusableFile } from "./node-sqlite.ts";
import type { JournalTable, StoredJournal } from "./shared-journals.ts";

/** Opens or creates a file, locked until it is closed or this process ends. Throws an `UnusableFile`, having changed nothing. */
export function openJournalFile(path: string): JournalTable {
  const sqlite = findSqlite();
  if (sqlite === undefined)
    throw new UnusableFile(
      `${path}: this Node (${process.version}) has no node:sqlite, which data files need; run Node 22.13 or newer`,
    );
  refuseForeign(path, readHeader(path));
  expectWritable(path);
  const database = opening(path, () => new sqlite.DatabaseSync(path));
  try {
    return opening(path, () => begin(path, database));
  } catch (problem) {
    database.close();
    throw problem;
  }
}

/** Explains what a SQLite error means for the file. */
function explainFault(path: string, fault: unknown): UnusableFile {
  if (fault instanceof UnusableFile) return fault;
  const message = messageOf(fault);
  return new UnusableFile(`${path}: ${(REASONS[codeOf(fault)] ?? DAMAGED)(message)}`);
}

/** "KRED": distinguishes our files from those of other programs (sqlite.org/fileformat.html, section 1.3.19). */
const APPLICATION_ID = 0x4b524544;
const SCHEMA_VERSION = 3;

/** A row of `event` holds the events of an account that one flush wrote. */
const SCHEMA = `
  CREATE TABLE journal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, account TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE event (
    journal INTEGER NOT NULL REFERENCES journal ON DELETE CASCADE, last INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (journal, last)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The length of a database header, and offsets in it (sqlite.org/fileformat.html, section 1.3). */
const HEADER = { length: 100, version: 60, application: 68 } as const;
const MAGIC = "SQLite format 3\0";

/** SQLite's result codes (sqlite.org/rescode.html). */
const REASONS: Readonly<Record<number, (message: string) => string>> = {
  5: () => "another process has it open; stop that one, or name another file",
  8: (message) => `it cannot be written (${message}); check its permissions`,
  13: (message) => `it cannot be written (${message}); free some disk space, and start again`,
  14: (message) => `it cannot be opened (${message}); check that its folder exists and is writable`,
};

const DAMAGED = (message: string): string =>
  `it is damaged or cannot be used (${message}); put a copy in its place, or name another file`;

function codeOf(fault: unknown): number {
  const code = typeof fault === "object" && fault !== null && "errcode" in fault ? fault.errcode : undefined;
  return typeof code === "number" ? code & 0xff : -1;
}

/** Reads the header before SQLite opens the file, because SQLite may write to it. Returns undefined if the file is missing or empty. */
function readHeader(path: string): Buffer | undefined {
  const header = Buffer.alloc(HEADER.length);
  try {
    const file = openSync(path, "r");
    const length = readSync(file, header);
    closeSync(file);
    return length === 0 ? undefined : header.subarray(0, length);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new UnusableFile(`${path}: it cannot be read (${messageOf(error)}); name another file`);
  }
}

/**
 * Creates a new file for its owner only, because journals contain secrets and phone numbers. SQLite gives the files next to it the same
 * mode.
 */
function expectWritable(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new UnusableFile(
      `${path}: it cannot be written (${messageOf(error)}); check its permissions, or check that its folder exists and is writable`,
    );
  }
}

function refuseForeign(path: string, header: Buffer | undefined): void {
  if (header === undefined) return;
  if (header.length < HEADER.length || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new UnusableFile(`${path}: it is not a Kredo data file; name another file, or a new one`);
  if (header.readUInt32BE(HEADER.application) !== APPLICATION_ID)
    throw new UnusableFile(`${path}: it is another program's database; name another file`);
  const version = header.readUInt32BE(HEADER.version);
  if (version !== SCHEMA_VERSION)
    throw new UnusableFile(
      `${path}: its format is version ${version}, but this Kredo supports version ${SCHEMA_VERSION}; run the version that wrote it, or name another file`,
    );
}

function opening<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (fault) {
    throw explainFault(path, fault);
  }
}

/** The lock belongs to the operating system, so it is released however the process ends. */
function begin(path: string, database: Database): JournalTable {
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const isNew = database.prepare("SELECT 1 FROM sqlite_master").get() === undefined;
  if (isNew) database.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT`);
  const table = new JournalFile(path, database);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
  return table;
}

const STORED =
  "SELECT account, name AS journal, max(last) AS version FROM journal JOIN event ON event.journal = journal.id GROUP BY journal.id ORDER BY journal.id";
const ID = "(SELECT id FROM journal WHERE name = ?)";

class JournalFile implements JournalTable {
  readonly stored: readonly StoredJournal[];
  readonly #path: string;
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #add: Statement;

  constructor(path: string, database: Database) {
    this.#path = path;
    this.#database = database;
    this.stored = [...database.prepare(STORED).iterate<StoredJournal>()];
    this.#begin = database.prepare("INSERT OR IGNORE INTO journal (name, account) VALUES (?, ?)");
    this.#add = database.prepare(`INSERT OR REPLACE INTO event (journal, last, body) VALUES (${ID}, ?, ?)`);
  }

  read(account: string, journal: string): JournalSlice {
    const rows = this.#database.prepare(`SELECT last, body FROM event WHERE journal = ${ID} ORDER BY last`);
    return opening(this.#path, () => readRows(account, [...rows.iterate<JournalRow>(journal)]));
  }

  write(writes: readonly JournalWrite[]): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const write of writes) this.#write(write);
      this.#database.exec("COMMIT");
    } catch (fault) {
      this.#rollBack();
      throw new StoreOutage(
        `${this.#path} cannot be written (${messageOf(fault)}); requests are answered 503 until it can`,
      );
    }
  }

  close(): void {
    this.#database.close();
  }

  #write(write: JournalWrite): void {
    const { account, journal } = write.grant;
    if (write.kind === "drop") {
      this.#database.prepare("DELETE FROM journal WHERE name = ?").run(journal);
      return;
    }
    const { after, last, events, trim } = write;
    if (after === 0) this.#begin.run(journal, account);
    if (trim !== undefined) {
      this.#database.prepare(`DELETE FROM event WHERE journal = ${ID} AND last < ?`).run(journal, trim.through);
      this.#add.run(journal, trim.through, JSON.stringify([trim.snapshot]));
    }
    if (events.length > 0) this.#add.run(journal, last, JSON.stringify(events));
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back.
    }
  }
}
