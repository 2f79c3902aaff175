import { describe } from "vitest";
import { openFileStore } from "../../../src/storage/journal/journals.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { journalStoreContract, type OpenStore } from "./journal-store-contract.ts";

journalStoreContract("memory", async () => {
  const store = memoryJournalStore();
  return { begin: async () => store, reopened: async () => store };
});

describe.runIf(HAS_SQLITE)(`journals ${NEEDING_SQLITE}`, () => {
  journalStoreContract("a file", async () => {
    const { store } = await openFileStore(newDataFile());
    return {
      begin: async (account) => {
        await store.begin(account);
        return store;
      },
      reopened: async () => store,
    };
  });

  journalStoreContract("a file that is opened again for each reading", () => openAgain(newDataFile()));
});

/** A store in a file that is closed and opened again before each time that it is read. */
async function openAgain(path: string): Promise<OpenStore> {
  let journals = await openFileStore(path);
  return {
    begin: async (account) => {
      await journals.store.begin(account);
      return journals.store;
    },
    reopened: async () => {
      await journals.close();
      journals = await openFileStore(path);
      return journals.store;
    },
  };
}
