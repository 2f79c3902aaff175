import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { cutHistory, type KeptJournals, playCut } from "../../support/gateway/cut-history.ts";
import { lastingStore, leftIn } from "../../support/gateway/restart.ts";
import { testWorld } from "../../support/gateway/world.ts";

test.each([
  ["restarted", inLastingStore],
  ["exported and imported", byImport],
] as const)(
  "whatever happened, and wherever it is cut, an account that is %s goes on to the same journal, byte for byte",
  async (_name, open) => {
    await fc.assert(
      fc.asyncProperty(cutHistory, async (history) => {
        const { uncut, cut } = await playCut(history, open());

        expect(cut).toEqual(uncut);
      }),
      { numRuns: 50 },
    );
  },
);

function inLastingStore(): KeptJournals {
  const store = lastingStore();
  return {
    store,
    async next(options, recorded) {
      const left = leftIn(store);
      return testWorld({ ...options, stored: left.stored, store: recorded(left.store) }).account;
    },
  };
}

/** The journal goes to an account of another sandbox, as JSON. */
function byImport(): KeptJournals {
  const store = memoryJournalStore();
  return {
    store,
    async next(options, recorded) {
      const { account } = testWorld({ ...options, store: recorded(memoryJournalStore()) });
      const left = leftIn(store).stored.find(({ consumerKey }) => consumerKey === account.consumerKey);
      account.import(left?.journal.events ?? []);
      return account;
    },
  };
}
