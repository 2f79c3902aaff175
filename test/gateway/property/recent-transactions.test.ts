import fc from "fast-check";
import { expect, test } from "vitest";
import { readAccepted } from "../../../src/gateway/account/readings/request.ts";
import { RecentTransactions } from "../../../src/gateway/account/readings/recent-transactions.ts";
import { answerFickly, anyStep, retrying, take } from "../../support/gateway/steps.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { testWorld } from "../../support/gateway/world.ts";

test("transactions folded from the journal read as those of the account", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: "max" }), async (steps) => {
      const { account } = testWorld({ answer: answerFickly, account: { callbacks: retrying(3) } });
      for (const step of steps) await take(account, step);
      await allReady();
      const recent = new RecentTransactions();

      for (const event of account.read().events) recent.take(event);

      const own = [...account.state.transactions.values()];
      const folded = own.map(({ accepted }) => recent.get(accepted.requestId));
      expect(folded.map((one) => one && readAccepted(one))).toEqual(own.map(readAccepted));
    }),
    { numRuns: 50 },
  );
});
