import { describe } from "vitest";
import { SqliteJournalStore } from "../../src/adapters/journal/sqlite-journal-store.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../support/data-file.ts";
import { reopeningStore } from "../support/reopening-store.ts";
import { journalStoreContract } from "./journal-store-contract.ts";

describe.runIf(HAS_SQLITE)(`journals ${NEEDING_SQLITE}`, () => {
  journalStoreContract("a file", () => new SqliteJournalStore(newDataFile()));

  journalStoreContract("a file that is opened again for each reading", () => reopeningStore(newDataFile()));
});
