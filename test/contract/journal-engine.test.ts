import { SharedMemory } from "../../src/adapters/journal/memory-engine.ts";
import { journalEngineContract } from "./journal-engine-contract.ts";

journalEngineContract("memory", async () => {
  const memory = new SharedMemory(() => 1_000);
  return { connect: async () => memory.engine(), endLease: async (id) => memory.endLease(id) };
});
