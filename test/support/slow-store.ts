import { memoryJournalStore } from "../../src/adapters/memory-journal-store.ts";
import type { AccountEvent } from "../../src/account/events.ts";
import type { JournalStore } from "../../src/ports/journal-store.ts";

export interface SlowStore extends JournalStore {
  /** What is done in place of the next appends, one each; where it answers nothing, the append goes on. */
  readonly before: (() => Promise<boolean | undefined> | boolean | undefined)[];
  /** Appends as another replica would. */
  intrude(account: string, events: readonly AccountEvent[]): Promise<void>;
}

/** A store that answers with promises, some turns later, as a database would. */
export function slowStore(): SlowStore {
  const memory = memoryJournalStore();
  const before: SlowStore["before"] = [];
  return {
    before,
    isLasting: false,
    secured: () => undefined,
    list: async () => {
      await turns(1);
      return memory.list();
    },
    append: async (account, version, events) => {
      await turns(3);
      const instead = await before.shift()?.();
      return instead ?? memory.append(account, version, events);
    },
    read: async (account, after) => {
      await turns(2);
      return memory.read(account, after);
    },
    trim: async (account, through, snapshot) => {
      const event = snapshot();
      await turns(1);
      await memory.trim(account, through, () => event);
    },
    drop: async (account) => {
      await turns(1);
      await memory.drop(account);
    },
    intrude: (account, events) => {
      const { first, events: kept } = memory.read(account, 0);
      memory.append(account, first + kept.length - 1, events);
      return Promise.resolve();
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}
