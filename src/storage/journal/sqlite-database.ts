import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import {
  APPLICATION_ID,
  resolveLink,
  readHeader,
  readWith,
  refuseForeign,
  refuseOrphanedLog,
  refuseSpecial,
} from "./data-file.ts";
import type { JournalAppend } from "./journal-engine.ts";
import { journalTables, SCHEMA_TABLE, SCHEMA_VERSION } from "./journal-tables.ts";
import { type Database, findSqlite, type Sqlite, type Statement, UnusableFile } from "./node-sqlite.ts";
import type { JournalDatabase, SqlValue } from "./sql-journals.ts";
import { damagedLog, isLogDamaged, missingLog } from "./write-ahead-log.ts";

/** Opens or creates a file, locked until it is closed or this process ends. Throws an `UnusableFile`, having changed nothing. */
export function openSqlite(path: string): SqliteDatabase {
  refuseSpecial(path);
  const sqlite = findSqlite();
  if (sqlite === undefined)
    throw new UnusableFile(
      `${path}: this Node (${process.version}) has no node:sqlite, which data files need; run Node 22.13 or newer`,
    );
  if (!existsSync(path)) createFile(path, sqlite);
  refuseForeign(path, readHeader(path));
  const file = resolveLink(path);
  const log = `${file}-wal`;
  const hadLog = existsSync(log);
  const wasDamaged = hadLog && readWith(log, isLogDamaged);
  let database: Database | undefined;
  try {
    database = new sqlite.DatabaseSync(file);
    // The lock belongs to the operating system, so it is released however the process ends.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
    const wasOpen = database.prepare("SELECT 1 FROM kredo_replica").all({}).length > 0;
    const warnings = wasDamaged ? [damagedLog(file)] : wasOpen && !hadLog ? [missingLog(file)] : [];
    return new SqliteDatabase(file, database, warnings);
  } catch (fault) {
    database?.close();
    throw explainFault(path, fault);
  }
}

/**
 * Makes the file under another name, so that a process that is killed meanwhile leaves nothing that a later start refuses: the next one
 * finishes it. Of two processes that make it at once, one waits for nothing and is told that the file is in use.
 */
function createFile(path: string, sqlite: Sqlite): void {
  refuseOrphanedLog(path);
  const unfinished = `${path}-new`;
  const header = readHeader(unfinished);
  if (header.length > 0) refuseForeign(unfinished, header);
  let database: Database | undefined;
  try {
    database = new sqlite.DatabaseSync(unfinished);
    database.exec("BEGIN EXCLUSIVE");
    const isEmpty = database.prepare("SELECT 1 FROM sqlite_master").all({}).length === 0;
    database.exec(`${isEmpty ? schema() : ""} COMMIT`);
    database.close();
    if (existsSync(path)) rmSync(unfinished, { force: true });
    else renameSync(unfinished, path);
  } catch (fault) {
    database?.close();
    throw explainFault(path, fault);
  }
}

/** Explains what an error means for a file that is being opened. */
export function explainFault(path: string, fault: unknown): UnusableFile {
  if (fault instanceof UnusableFile) return fault;
  const reason = fault instanceof StoreOutage ? fault.cause : fault;
  return new UnusableFile(`${path}: ${(REASONS[codeOf(reason)] ?? DAMAGED)(messageOf(reason))}`);
}

const schema = (): string => `
  ${SCHEMA_TABLE};
  ${journalTables("integer PRIMARY KEY AUTOINCREMENT")}
  INSERT INTO kredo_schema VALUES (${SCHEMA_VERSION}, '${randomUUID()}');
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const BUSY = (): string => "another process has it open; stop that one, or name another file";
const UNWRITABLE = (message: string): string =>
  `it cannot be written (${message}); check its permissions, those of its folder, and the free disk space`;
const DAMAGED = (message: string): string =>
  `it is damaged or cannot be used (${message}); put a copy in its place, or name another file`;

/** By SQLite's result codes (sqlite.org/rescode.html). */
const REASONS: Readonly<Record<number, (message: string) => string>> = {
  5: BUSY,
  8: UNWRITABLE,
  13: UNWRITABLE,
  14: UNWRITABLE,
};

function codeOf(fault: unknown): number {
  const code = typeof fault === "object" && fault !== null && "errcode" in fault ? fault.errcode : undefined;
  return typeof code === "number" ? code & 0xff : -1;
}

/** A file of which this process is the only user. */
export class SqliteDatabase implements JournalDatabase {
  readonly #path: string;
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement>();
  /** The inodes of the file and its log. */
  readonly #inodes: ReadonlyMap<string, number>;
  #outage: StoreOutage | undefined;
  /** What a start should say about the file. */
  readonly warnings: readonly string[];

  constructor(path: string, database: Database, warnings: readonly string[]) {
    this.#path = path;
    this.#database = database;
    this.#inodes = new Map([path, `${path}-wal`].map((name) => [name, statSync(name).ino]));
    this.warnings = warnings;
  }

  async query<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.#unlessOut(() => this.#run<Row>(sql, values));
  }

  async append(appends: readonly JournalAppend[], owner: string): Promise<ReadonlySet<string>> {
    this.#checkpointInTime();
    const written = this.#unlessOut(() =>
      this.#transaction(
        () => new Set(appends.filter((one) => this.#append(one, owner)).map(({ grant }) => grant.journal)),
      ),
    );
    this.#outage = undefined;
    return written;
  }

  /**
   * Empties the write-ahead log while the disk still has room for what it holds: on a full disk, the database could no longer grow to take
   * that, and the log would keep the disk full.
   */
  #checkpointInTime(): void {
    try {
      const { size = 0 } = statSync(`${this.#path}-wal`, { throwIfNoEntry: false }) ?? {};
      const { bavail, bsize } = statfsSync(this.#path);
      if (size > 0 && bavail * bsize < size + ROOM_BYTES) this.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // If the disk is full already, the write itself says so.
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Undoes everything if `work` throws. */
  #transaction<T>(work: () => T): T {
    this.#expectFiles();
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (fault) {
      try {
        this.exec("ROLLBACK");
      } catch {
        // SQLite has already rolled back.
      }
      throw fault;
    }
  }

  /** SQLite itself looks at the inode only where it keeps no write-ahead log (SQLITE_READONLY_DBMOVED). */
  #expectFiles(): void {
    for (const [name, inode] of this.#inodes)
      if (statSync(name, { throwIfNoEntry: false })?.ino !== inode) throw new LostFile(name);
  }

  #append({ grant: { journal, epoch }, after, last, events, trim }: JournalAppend, owner: string): boolean {
    const [moved] = this.#run<{ id: number }>(MOVE, [journal, owner, epoch, after, last, trim?.through ?? null]);
    if (moved === undefined) return false;
    if (trim !== undefined) {
      this.#run(EVICT, [moved.id, trim.through]);
      this.#run(PUT, [moved.id, trim.through, epoch, JSON.stringify([trim.snapshot])]);
    }
    if (events.length > 0) this.#run(PUT, [moved.id, last, epoch, JSON.stringify(events)]);
    return true;
  }

  #run<Row extends object>(sql: string, values: readonly SqlValue[]): Row[] {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql.replaceAll("{now}", NOW));
    this.#prepared.set(sql, statement);
    return statement.all<Row>(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value])));
  }

  /** Throws the same error until events can be written, whoever finds that they cannot, so that the log has an outage once. */
  #unlessOut<T>(work: () => T): T {
    try {
      return work();
    } catch (fault) {
      if (REFUSALS.has(codeOf(fault))) throw fault;
      if (fault instanceof LostFile) throw (this.#outage ??= fault);
      const problem = `${this.#path} cannot be written (${messageOf(fault)}); requests are answered 503 until it can`;
      this.#outage ??= new StoreOutage(problem, { cause: fault });
      throw this.#outage;
    }
  }
}

/** SQLITE_TOOBIG and SQLITE_CONSTRAINT depend on the values of a statement (sqlite.org/rescode.html). */
const REFUSALS: ReadonlySet<number> = new Set([18, 19]);

/** Thrown while the file or its log is not in its place: what is written to it now would be gone with this process. */
class LostFile extends StoreOutage {
  override readonly repair = "put the file back, or start Kredo again";

  constructor(path: string) {
    super(`${path} was moved, deleted or replaced while Kredo ran; requests are answered 503 until it is back`);
  }
}

/** What one write may add to the log before the next check. */
const ROOM_BYTES = 262_144;

const NOW = "(unixepoch('subsec') * 1000)";

const MOVE = `
  UPDATE kredo_account SET version = $5, first = coalesce($6, first)
  WHERE journal = $1 AND owner = $2 AND epoch = $3 AND version = $4 RETURNING id`;
const EVICT = "DELETE FROM kredo_events WHERE account = $1 AND last < $2";
const PUT = `
  INSERT INTO kredo_events (account, last, epoch, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account, last) DO UPDATE SET body = excluded.body`;
