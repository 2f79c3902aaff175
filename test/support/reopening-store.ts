import { SqliteJournalStore } from "../../src/adapters/journal/sqlite-journal-store.ts";
import type { JournalStore } from "../../src/ports/journal-store.ts";

/** A store in a file that is closed and opened again before each time that it is read. */
export function reopeningStore(path: string): JournalStore {
  let store = new SqliteJournalStore(path);
  const reopened = (): SqliteJournalStore => {
    store.close();
    store = new SqliteJournalStore(path);
    return store;
  };
  return {
    isLasting: true,
    append: (account, events) => store.append(account, events),
    read: (account, after) => reopened().read(account, after),
    trim: (account, through, snapshot) => store.trim(account, through, snapshot),
    drop: (account) => store.drop(account),
    id: (account) => reopened().id(account),
    list: () => reopened().list(),
    secured: () => store.secured(),
  };
}
