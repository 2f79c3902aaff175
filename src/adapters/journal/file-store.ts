import type { JournalStore } from "../../ports/journal-store.ts";
import { systemClock } from "../time/system-clock.ts";
import { EngineJournalStore } from "./engine-journal-store.ts";
import { openJournalFile } from "./journal-file.ts";
import { SharedJournals } from "./shared-journals.ts";

/** The store of a process that owns every account. */
export interface FileStore {
  readonly store: JournalStore;
  /** Takes ownership of an account. Called before its first event. */
  readonly begin: (account: string) => Promise<void>;
  /** Writes pending events and closes the store. */
  readonly close: () => Promise<void>;
}

/** Opens a file that only this process uses, and takes ownership of all its accounts. Throws an `UnusableFile`, having changed nothing. */
export async function openFileStore(path: string, clock = systemClock({ holdsProcess: true })): Promise<FileStore> {
  const engine = new SharedJournals(openJournalFile(path), () => clock.now()).engine();
  const store = new EngineJournalStore(engine, { clock, patience: 0, suspended: () => undefined, onLost: () => {} });
  const take = async (account: string): Promise<void> => {
    await store.dropped(account);
    if (store.grantOf(account) !== undefined) return;
    const acquired = await engine.acquire(account, { create: true });
    if (acquired.kind === "granted") store.adopt(acquired.grant, acquired.journal);
  };
  let taken = Promise.resolve();
  // One at a time: a second grant would fence the first.
  const begin = (account: string): Promise<void> => (taken = taken.catch(() => {}).then(() => take(account)));
  try {
    await engine.join({ id: "self", url: "" }, Number.POSITIVE_INFINITY);
    for (const account of await engine.list()) await begin(account);
  } catch (problem) {
    await engine.close();
    throw problem;
  }
  const close = async (): Promise<void> => {
    await store.close();
    await engine.close();
  };
  return { store, begin, close };
}
