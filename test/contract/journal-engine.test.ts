import { describe } from "vitest";
import { openJournalFile } from "../../src/adapters/journal/journal-file.ts";
import { SharedJournals } from "../../src/adapters/journal/shared-journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../support/data-file.ts";
import { memoryJournals } from "../support/memory-journals.ts";
import { journalEngineContract, type SharedEngine } from "./journal-engine-contract.ts";

journalEngineContract("memory", async () => shared(memoryJournals(() => 1_000)));

describe.runIf(HAS_SQLITE)(`journals ${NEEDING_SQLITE}`, () => {
  journalEngineContract("SQLite", async () => shared(new SharedJournals(openJournalFile(newDataFile()), () => 1_000)));
});

function shared(journals: SharedJournals): SharedEngine {
  return { connect: async () => journals.engine(), endLease: async (id) => journals.endLease(id) };
}
