import { closeSync, openSync, readSync } from "node:fs";
import type { AccountEvent } from "../../account/account-event.ts";
import { type Database, findSqlite, type Row, UnusableFile } from "./node-sqlite.ts";
import { StoreOutage } from "../../ports/journal-store.ts";
import { messageOf } from "../../domain/message-of.ts";

/** A file of journals that this process has for itself until it is closed or gone. */
export interface JournalFile {
  readonly database: Database;
  readonly kept: readonly KeptJournal[];
}

/** A journal as it was found in the file; the ids are in the order in which journals began. */
export interface KeptJournal {
  readonly id: number;
  readonly name: string;
  readonly account: string;
  readonly first: number;
  readonly events: readonly AccountEvent[];
}

/** Opens a file, or begins one, and reads all of it. Throws an `UnusableFile`, and then has changed nothing. */
export function openJournalFile(path: string): JournalFile {
  const sqlite = findSqlite();
  if (sqlite === undefined)
    throw new UnusableFile(`${path}: this Node (${process.version}) has no node:sqlite, which keeps it; run Node 22.13 or newer`);
  refuseForeign(path, readHeader(path));
  expectWritable(path);
  const database = opening(path, () => new sqlite.DatabaseSync(path));
  try {
    return { database, kept: opening(path, () => begin(database)) };
  } catch (problem) {
    database.close();
    throw problem;
  }
}

/** Says what a fault of SQLite means for its file. */
function explainFault(path: string, fault: unknown): UnusableFile {
  if (fault instanceof UnusableFile) return fault;
  const message = messageOf(fault);
  return new UnusableFile(`${path}: ${(REASONS[codeOf(fault)] ?? DAMAGED)(message)}`);
}

/** Says why a file that was open cannot be written for now. */
export function explainOutage(path: string, fault: unknown): StoreOutage {
  return new StoreOutage(`${path} cannot be written (${messageOf(fault)}); requests are answered 503 until it can`);
}

/** "KRED": tells our files from those of others (sqlite.org/fileformat.html, section 1.3.19). */
const APPLICATION_ID = 0x4b524544;
const SCHEMA_VERSION = 2;

const SCHEMA = `
  CREATE TABLE journal (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, account TEXT NOT NULL UNIQUE);
  CREATE TABLE event (
    journal INTEGER NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (journal, number)
  ) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The length of a database's header, and where things stand in it (sqlite.org/fileformat.html, section 1.3). */
const HEADER = { length: 100, version: 60, application: 68 } as const;
const MAGIC = "SQLite format 3\0";

/** SQLite's result codes (sqlite.org/rescode.html). */
const REASONS: Readonly<Record<number, (message: string) => string>> = {
  5: () => "another process has it open; stop that one, or name another file",
  8: (message) => `it cannot be written (${message}); check its permissions`,
  13: (message) => `it cannot be written (${message}); make room on its disk, and start again`,
  14: (message) => `it cannot be opened (${message}); check that its folder is there and may be written to`,
};

const DAMAGED = (message: string): string => `it is damaged or cannot be used (${message}); put a copy in its place, or name another file`;

function codeOf(fault: unknown): number {
  const code = typeof fault === "object" && fault !== null && "errcode" in fault ? fault.errcode : undefined;
  return typeof code === "number" ? code & 0xff : -1;
}

/** Looks before SQLite does, which may write to whatever it opens. Nothing where there is no file yet, or an empty one. */
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

/** A new file is for its owner alone: journals hold secrets and phone numbers. SQLite gives the files beside it the same mode. */
function expectWritable(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new UnusableFile(
      `${path}: it cannot be written (${messageOf(error)}); check its permissions, or check that its folder is there and may be written to`,
    );
  }
}

function refuseForeign(path: string, header: Buffer | undefined): void {
  if (header === undefined) return;
  if (header.length < HEADER.length || header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new UnusableFile(`${path}: it is not a data file of kredo; name another one, or one that is not there yet`);
  if (header.readUInt32BE(HEADER.application) !== APPLICATION_ID)
    throw new UnusableFile(`${path}: it is a database of another program; name another file`);
  const version = header.readUInt32BE(HEADER.version);
  if (version !== SCHEMA_VERSION)
    throw new UnusableFile(
      `${path}: its layout has version ${version}, and this kredo knows version ${SCHEMA_VERSION}; run the kredo that wrote it, or name another file`,
    );
}

function opening<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (fault) {
    throw explainFault(path, fault);
  }
}

/** The lock is the operating system's and goes with the process, however that ends. */
function begin(database: Database): KeptJournal[] {
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_master").get() ?? {};
  if (tables === 0) database.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT`);
  const kept = readJournals(database);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
  return kept;
}

const JOURNALS = "SELECT id, name, account FROM journal ORDER BY id";
const EVENTS = "SELECT number, body FROM event WHERE journal = ? ORDER BY number";

function readJournals(database: Database): KeptJournal[] {
  return Array.from(database.prepare(JOURNALS).iterate(), (row) => {
    const [id, account] = [numberIn(row, "id"), textIn(row, "account")];
    const rows = Array.from(database.prepare(EVENTS).iterate(id));
    const events = rows.map((event) => eventIn(event, account));
    const first = rows[0] === undefined ? 1 : numberIn(rows[0], "number");
    const gap = rows.findIndex((event, index) => event["number"] !== first + index);
    if (gap !== -1) throw new Error(`event ${first + gap} of ${account} is missing`);
    return { id, name: textIn(row, "name"), account, first, events };
  });
}

function eventIn(row: Row, account: string): AccountEvent {
  const event: unknown = JSON.parse(textIn(row, "body"));
  if (!isEvent(event)) throw new Error(`event ${String(row["number"])} of ${account} is none`);
  return event;
}

/** Whoever goes on with a journal checks that it adds up. */
function isEvent(value: unknown): value is AccountEvent {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string" && "at" in value;
}

function numberIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new Error(`${column} is no number`);
  return value;
}

function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new Error(`${column} is no text`);
  return value;
}
