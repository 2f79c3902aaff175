import fc from "fast-check";
import { expect, test } from "vitest";
import { readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { available } from "../../../src/gateway/domain/kes.ts";
import { anyStep, take } from "../../support/gateway/steps.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

test("the opening balance plus all entries is the balance, and the last row is the state's wallet", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 30 }),
      fc.constantFrom(3, 10_000),
      async (steps, maxTransactions) => {
        const { account } = testWorld({ bounds: { max_transactions: maxTransactions } });
        await script(account, rule("when: { every: 2 }, then: { callback: { times: 2, gap: 1s, reverse: true } }"));

        for (const step of steps) await take(account, step);

        const entries = readLedger(account.journal.read());
        const [opening, ...later] = entries;
        const booked = later
          .filter(({ kind }) => kind !== "hold" && kind !== "release")
          .reduce((sum, entry) => sum + entry.amount, 0);
        const moved = later
          .filter(({ kind }) => kind === "hold" || kind === "release")
          .reduce((sum, entry) => sum + entry.amount, 0);
        const last = entries.at(-1);
        expect(last?.balance).toBe(account.state.wallet.balance);
        expect(last?.available).toBe(available(account.state.wallet));
        expect((opening?.balance ?? Number.NaN) + booked).toBe(account.state.wallet.balance);
        expect((opening?.available ?? Number.NaN) + booked + moved).toBe(available(account.state.wallet));
      },
    ),
    { numRuns: 200 },
  );
});

test("eviction shortens the ledger to what is brought forward", async () => {
  const { account } = testWorld({ bounds: { max_transactions: 1 } });

  for (const shillings of Array.from({ length: 300 }, () => 5)) {
    buyAirtime(account, shillings);
    await account.advance({ by: 1_000 }, 1_000);
  }

  const [first, ...later] = readLedger(account.journal.read());
  expect(account.journal.evicted).toBeGreaterThan(200);
  expect(first?.kind).toBe("brought_forward");
  expect(later.at(-1)?.balance).toBe(account.state.wallet.balance);
});
