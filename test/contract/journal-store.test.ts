import { memoryJournalStore } from "../../src/adapters/journal/memory-journal-store.ts";
import { journalStoreContract } from "./journal-store-contract.ts";

journalStoreContract("memory", memoryJournalStore);
