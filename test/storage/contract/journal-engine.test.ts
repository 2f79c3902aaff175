import { describe, onTestFinished } from "vitest";
import { SqlJournals } from "../../../src/storage/journal/sql-journals.ts";
import { openSqlite } from "../../../src/storage/journal/sqlite-database.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { MemoryJournals } from "../../support/memory-journals.ts";
import { journalEngineContract, LOSE_LAST } from "./journal-engine-contract.ts";

journalEngineContract("memory", async () => {
  const journals = new MemoryJournals(() => 1_000);
  return {
    connect: async () => journals.engine(),
    endLease: async (id) => journals.endLease(id),
    loseLast: async (account) => journals.loseLast(account),
    refuse: async (text) => journals.refuse(text),
  };
});

describe.runIf(HAS_SQLITE)(`journals ${NEEDING_SQLITE}`, () => {
  journalEngineContract("SQLite", async () => {
    const database = openSqlite(newDataFile());
    onTestFinished(() => database.close());
    return {
      connect: async () => new SqlJournals(database),
      endLease: async (id) =>
        void (await database.query("UPDATE kredo_replica SET lease_ends = 0 WHERE id = $1", [id])),
      loseLast: async (account) => {
        for (const sql of LOSE_LAST) await database.query(sql, [account]);
      },
      refuse: async (text) =>
        database.exec(
          `CREATE TRIGGER refuse BEFORE INSERT ON kredo_events WHEN new.body LIKE '%${text}%' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
        ),
    };
  });
});
