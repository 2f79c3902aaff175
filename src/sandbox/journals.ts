import { checkJournal } from "../account/adopt-journal.ts";
import { memoryJournalStore } from "../adapters/journal/memory-journal-store.ts";
import { SqliteJournalStore } from "../adapters/journal/sqlite-journal-store.ts";
import { UnusableFile } from "../adapters/journal/node-sqlite.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { StoredAccount } from "../engine/account.ts";
import type { JournalEngine } from "../ports/journal-engine.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import { messageOf } from "../domain/message-of.ts";

export { UnusableFile } from "../adapters/journal/node-sqlite.ts";

/** A journal to import as the account of this key. */
export interface AccountJournal {
  readonly consumerKey: string;
  readonly events: readonly AccountEvent[];
}

/** A sandbox's journal store, and the accounts already stored in it. */
export interface Journals {
  readonly store: JournalStore;
  readonly stored: readonly StoredAccount[];
  /** Imported journals that were skipped because their accounts already exist. */
  readonly left: readonly AccountJournal[];
  close(): void;
}

/** Opens the file, or a store in memory if none is given, and imports the given journals. Throws an `UnusableFile`. */
export function openJournals(file: string | undefined, brought: readonly AccountJournal[]): Journals {
  const store = file === undefined ? memoryJournalStore() : openChecked(file);
  const known = store.list();
  const left = brought.filter(({ consumerKey }) => known.includes(consumerKey));
  for (const { consumerKey, events } of brought) if (!known.includes(consumerKey)) store.append(consumerKey, events);
  const stored = store.list().map((consumerKey) => ({ consumerKey, journal: store.read(consumerKey, 0) }));
  return { store, stored, left, close: () => store instanceof SqliteJournalStore && store.close() };
}

/** Connects to the PostgreSQL database that the replicas share. Throws an `UnusableFile`. */
export async function openEngine(url: string): Promise<JournalEngine> {
  const { connectPostgres } = await import("../adapters/journal/postgres-engine.ts");
  return connectPostgres(url);
}

/** Opens a file, and closes it before writing anything if one of its journals is inconsistent. */
function openChecked(file: string): SqliteJournalStore {
  const store = new SqliteJournalStore(file);
  try {
    for (const account of store.list()) check(store, account, file);
    return store;
  } catch (problem) {
    store.close();
    throw problem;
  }
}

function check(store: SqliteJournalStore, account: string, file: string): void {
  try {
    checkJournal(store.read(account, 0).events);
  } catch (error) {
    const reason = messageOf(error);
    throw new UnusableFile(
      `${file}: the journal of ${account} does not add up (${reason}); put a copy of the file in its place, or name another`,
    );
  }
}
