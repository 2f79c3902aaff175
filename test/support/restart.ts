import { type MemoryJournalStore, memoryJournalStore } from "../../src/adapters/memory-journal-store.ts";
import type { AccountEvent } from "../../src/account/events.ts";
import type { Kept } from "../../src/engine/surroundings.ts";
import { type TestWorld, type TestWorldOptions, testWorld } from "./world.ts";

/** A store in memory that is taken for one whose journals outlive the process. */
export function lastingStore(): MemoryJournalStore {
  return { ...memoryJournalStore(), isLasting: true };
}

/** A world over what another one left in a store, as JSON would keep it; its accounts sleep until they are woken. */
export function restarted(store: MemoryJournalStore, options: TestWorldOptions = {}): TestWorld {
  return testWorld({ ...options, ...leftIn(store) });
}

/** What a process leaves in a store, read by another. */
export function leftIn(store: MemoryJournalStore): { store: MemoryJournalStore; kept: readonly Kept[] } {
  const kept = store.list().map((consumerKey): Kept => ({ consumerKey, kept: throughJson(store.read(consumerKey, 0)) }));
  return { store: { ...memoryJournalStore(kept.map((one) => [one.consumerKey, one.kept])), isLasting: true }, kept };
}

function throughJson({ first, events }: Kept["kept"]): Kept["kept"] {
  const copy: AccountEvent[] = JSON.parse(JSON.stringify(events));
  return { first, events: copy };
}
