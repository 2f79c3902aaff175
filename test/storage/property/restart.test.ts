import fc from "fast-check";
import { expect, test } from "vitest";
import { openSqlite } from "../../../src/storage/journal/sqlite-database.ts";
import { SqlJournals } from "../../../src/storage/journal/sql-journals.ts";
import { HAS_SQLITE, NEEDING_SQLITE, newDataFile } from "../../support/data-file.ts";
import { engineJournals } from "../../support/engine-journals.ts";
import { cutHistory, playCut } from "../../support/gateway/cut-history.ts";

test.runIf(HAS_SQLITE)(
  `whatever happened, and wherever it is cut, an account ${NEEDING_SQLITE} goes on to the same journal, byte for byte`,
  async () => {
    await fc.assert(
      fc.asyncProperty(cutHistory, async (history) => {
        const file = newDataFile();
        const kept = await engineJournals(async () => new SqlJournals(openSqlite(file)));

        const { uncut, cut } = await playCut(history, kept);

        expect(cut).toEqual(uncut);
      }),
      { numRuns: 15 },
    );
  },
);
