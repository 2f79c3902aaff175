import fc from "fast-check";
import { expect, test } from "vitest";
import { connectPostgres } from "../../src/storage/journal/postgres-database.ts";
import { SqlJournals } from "../../src/storage/journal/sql-journals.ts";
import { engineJournals } from "../support/engine-journals.ts";
import { cutHistory, playCut } from "../support/gateway/cut-history.ts";
import { startPostgres } from "./postgres.ts";

test("whatever happened, and wherever it is cut, an account goes on to the same journal in PostgreSQL, byte for byte", async () => {
  await using postgres = await startPostgres();

  await fc.assert(
    fc.asyncProperty(cutHistory, async (history) => {
      await postgres.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION kredo");
      const kept = await engineJournals(async () => new SqlJournals(await connectPostgres(postgres.url())));

      const { uncut, cut } = await playCut(history, kept);

      expect(cut).toEqual(uncut);
    }),
    { numRuns: 10, seed: 1 },
  );
});
