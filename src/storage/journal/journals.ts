/**
 * Keeps journals in SQLite or PostgreSQL, and shares a sandbox between replicas. It may import the gateway only, whose store interface it
 * implements.
 */

import { checkJournal } from "../../gateway/account/check-journal.ts";
import { memoryJournalStore } from "../../gateway/adapters/memory-journal-store.ts";
import { systemClock } from "../../gateway/adapters/time/system-clock.ts";
import { EngineJournalStore } from "./engine-journal-store.ts";
import { UnusableFile } from "./node-sqlite.ts";
import { explainFault, openSqlite } from "./sqlite-database.ts";
import { SqlJournals } from "./sql-journals.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { StoredAccount } from "../../gateway/engine/account.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import type { JournalEngine } from "./journal-engine.ts";
import type { JournalStore } from "../../gateway/ports/journal-store.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";

export { UnusableFile } from "./node-sqlite.ts";

/** The store of a process that owns every account. */
export interface FileStore {
  readonly store: JournalStore;
  /** What a start should say about the file. */
  readonly warnings: readonly string[];
  /** Writes pending events and closes the store. */
  readonly close: () => Promise<void>;
}

/** A journal to import as the account of this key. */
export interface AccountJournal {
  readonly consumerKey: string;
  readonly events: readonly AccountEvent[];
}

/** A sandbox's journal store, and the accounts already stored in it. */
export interface Journals extends FileStore {
  readonly stored: readonly StoredAccount[];
  /** Imported journals that were skipped because their accounts already exist. */
  readonly skipped: readonly AccountJournal[];
}

/** Opens the file, or a store in memory if none is given, and imports the given journals. Throws an `UnusableFile`. */
export async function openJournals(file: string | undefined, imports: readonly AccountJournal[]): Promise<Journals> {
  const { store, warnings, close }: FileStore =
    file === undefined
      ? { store: memoryJournalStore(), warnings: [], close: async () => {} }
      : await openFileStore(file, (opened) => checkAll(opened, file));
  const known = store.list();
  const skipped = imports.filter(({ consumerKey }) => known.includes(consumerKey));
  for (const { consumerKey, events } of imports) {
    if (known.includes(consumerKey)) continue;
    await store.begin(consumerKey);
    store.append(consumerKey, events);
  }
  await store.begin(SANDBOX_JOURNAL);
  const stored = store.list().map((consumerKey) => ({ consumerKey, journal: store.read(consumerKey, 0) }));
  return { store, stored, skipped, warnings, close };
}

/**
 * Opens a file that only this process uses, and takes ownership of all its accounts. Throws an `UnusableFile`, having changed nothing, also
 * if `check` throws.
 */
export async function openFileStore(
  path: string,
  check: (store: JournalStore) => void = () => {},
  clock: WallClock = systemClock({ holdsProcess: true }),
): Promise<FileStore> {
  const database = openSqlite(path);
  const engine = new SqlJournals(database);
  const store: EngineJournalStore = new EngineJournalStore(engine, {
    clock,
    patience: 0,
    begin: (account) => (taken = taken.catch(() => false).then(() => take(account))),
    suspended: () => undefined,
    onLost: () => {},
    // Nobody else could continue the account, so it waits for a restart.
    onUnwritable: () => {},
  });
  const take = async (account: string): Promise<boolean> => {
    await store.dropped(account);
    if (store.grantOf(account) !== undefined) return true;
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind === "granted") store.own(acquired.grant, acquired.journal);
    return acquired.kind === "granted";
  };
  // One at a time: a second grant would fence the first.
  let taken = Promise.resolve(true);
  try {
    database.exec("BEGIN");
    await engine.join({ id: "self", url: "" }, Number.MAX_SAFE_INTEGER);
    for (const account of await engine.list()) await store.begin(account);
    check(store);
    database.exec("COMMIT");
    // So the file itself says that a process has it open, and therefore a log.
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (problem) {
    // Undoes the transaction.
    await engine.close();
    throw explainFault(path, problem);
  }
  const close = async (): Promise<void> => {
    await store.close();
    // A file that cannot be written keeps its log, and says so.
    await engine.leave().catch(() => {});
    await engine.close();
  };
  return { store, warnings: database.warnings, close };
}

/** Connects to the PostgreSQL database that the replicas share. Throws an `UnusableFile`. */
export async function openEngine(url: string): Promise<JournalEngine> {
  const { connectPostgres } = await import("./postgres-database.ts");
  return new SqlJournals(await connectPostgres(url));
}

function checkAll(store: JournalStore, file: string): void {
  let account = "";
  try {
    for (account of store.list()) checkJournal(store.read(account, 0).events);
  } catch (error) {
    const reason = messageOf(error);
    throw new UnusableFile(
      `${file}: the journal of ${account} is inconsistent (${reason}); put a copy of the file in its place, or name another`,
    );
  }
}
