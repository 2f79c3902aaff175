import type { JournalStore } from "../../gateway/ports/journal-store.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import { systemClock } from "../../gateway/adapters/time/system-clock.ts";
import { EngineJournalStore } from "./engine-journal-store.ts";
import { SqlJournals } from "./sql-journals.ts";
import { explainFault, openSqlite } from "./sqlite-database.ts";

/** The store of a process that owns every account. */
export interface FileStore {
  readonly store: JournalStore;
  /** Takes ownership of an account. Called before its first event. */
  readonly begin: (account: string) => Promise<void>;
  /** Writes pending events and closes the store. */
  readonly close: () => Promise<void>;
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
  const store = new EngineJournalStore(engine, { clock, patience: 0, suspended: () => undefined, onLost: () => {} });
  const take = async (account: string): Promise<void> => {
    await store.dropped(account);
    if (store.grantOf(account) !== undefined) return;
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind === "granted") store.own(acquired.grant, acquired.journal);
  };
  let taken = Promise.resolve();
  // One at a time: a second grant would fence the first.
  const begin = (account: string): Promise<void> => (taken = taken.catch(() => {}).then(() => take(account)));
  try {
    database.exec("BEGIN");
    await engine.join({ id: "self", url: "" }, Number.MAX_SAFE_INTEGER);
    for (const account of await engine.list()) await begin(account);
    check(store);
    database.exec("COMMIT");
  } catch (problem) {
    // Undoes the transaction.
    await engine.close();
    throw explainFault(path, problem);
  }
  const close = async (): Promise<void> => {
    await store.close();
    await engine.close();
  };
  return { store, begin, close };
}
