/**
 * Keeps journals in SQLite or PostgreSQL, and shares a sandbox between replicas. It may import the gateway only, whose store interface it
 * implements.
 */

import { checkJournal } from "../gateway/account/check-journal.ts";
import { openFileStore, type FileStore } from "./journal/file-store.ts";
import { memoryJournalStore } from "../gateway/adapters/memory-journal-store.ts";
import { UnusableFile } from "./journal/node-sqlite.ts";
import { SqlJournals } from "./journal/sql-journals.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import type { StoredAccount } from "../gateway/engine/account.ts";
import { SANDBOX_JOURNAL } from "../gateway/engine/world.ts";
import type { JournalEngine } from "./journal/journal-engine.ts";
import type { JournalStore } from "../gateway/ports/journal-store.ts";
import { messageOf } from "../gateway/domain/message-of.ts";

export { UnusableFile } from "./journal/node-sqlite.ts";

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
  const { store, begin, close }: FileStore =
    file === undefined
      ? { store: memoryJournalStore(), begin: async () => {}, close: async () => {} }
      : await openFileStore(file, (opened) => checkAll(opened, file));
  const known = store.list();
  const skipped = imports.filter(({ consumerKey }) => known.includes(consumerKey));
  for (const { consumerKey, events } of imports) {
    if (known.includes(consumerKey)) continue;
    await begin(consumerKey);
    store.append(consumerKey, events);
  }
  await begin(SANDBOX_JOURNAL);
  const stored = store.list().map((consumerKey) => ({ consumerKey, journal: store.read(consumerKey, 0) }));
  return { store, begin, stored, skipped, close };
}

/** Connects to the PostgreSQL database that the replicas share. Throws an `UnusableFile`. */
export async function openEngine(url: string): Promise<JournalEngine> {
  const { connectPostgres } = await import("./journal/postgres-database.ts");
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
