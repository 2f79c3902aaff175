import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { JournalSlice } from "../../../src/gateway/account/readings/journal-slice.ts";
import type { StoredAccount } from "../../../src/gateway/engine/account.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import { type TestWorld, type TestWorldOptions, testWorld } from "./world.ts";

/** A store in memory that is taken for one whose journals outlive the process. */
export function lastingStore(): JournalStore {
  return { ...memoryJournalStore(), isLasting: true };
}

/** A world over what another one left in a store, as JSON would keep it; its accounts sleep until they are woken. */
export function restarted(store: JournalStore, options: TestWorldOptions = {}): TestWorld {
  return testWorld({ ...options, ...leftIn(store) });
}

/** What a process leaves in a store, read by another. */
export function leftIn(store: JournalStore): { store: JournalStore; stored: readonly StoredAccount[] } {
  const stored = store
    .list()
    .map((consumerKey): StoredAccount => ({ consumerKey, journal: throughJson(store.read(consumerKey, 0)) }));
  const next = memoryJournalStore();
  for (const { consumerKey, journal } of stored) next.own(consumerKey, journal);
  return { store: { ...next, isLasting: true }, stored };
}

function throughJson({ first, events }: JournalSlice): JournalSlice {
  const copy: AccountEvent[] = JSON.parse(JSON.stringify(events));
  return { first, events: copy };
}
