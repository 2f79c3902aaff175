import fc from "fast-check";
import { expect, test } from "vitest";
import { readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { cents, available } from "../../../src/gateway/domain/kes.ts";
import { registerSenderId, setBalance, settleNow, topUp } from "../../../src/gateway/engine/commands.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, sendSms, testWorld } from "../../support/gateway/world.ts";

type Step = (account: RunningAccount) => unknown;

const amount = fc.integer({ min: 0, max: 1_000_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 5, max: 5_000 }).map(
    (shillings): Step =>
      (account) =>
        buyAirtime(account, shillings),
  ),
  fc.constant<Step>((account) => sendSms(account, "Habari")),
  amount.map(
    (sum): Step =>
      (account) =>
        topUp(account, cents(sum)),
  ),
  amount.map(
    (sum): Step =>
      (account) =>
        setBalance(account, cents(sum)),
  ),
  fc.integer({ min: 0, max: 3_000 }).map(
    (by): Step =>
      (account) =>
        account.advance({ by }, 1_000),
  ),
  fc.constant<Step>((account) => registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] })),
  fc.constant<Step>((account) => settleFirst(account)),
);

test("opening plus all that follows is the balance, and the last row is the state's wallet", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.constantFrom(3, 10_000), async (steps, maxTransactions) => {
      const { account } = testWorld({ bounds: { max_transactions: maxTransactions } });
      await script(account, rule("when: { every: 2 }, then: { callback: { times: 2, gap: 1s, reverse: true } }"));

      for (const take of steps) await attempt(() => take(account));

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
    }),
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

async function settleFirst(account: RunningAccount): Promise<void> {
  const queued = [...account.state.transactions.values()].find(({ progress }) => progress.state === "queued");
  if (queued !== undefined) settleNow(account, queued.accepted.requestId, { resultCode: 500, resultDesc: "no" });
}

/** A step that is refused moves no money, which the law sees too. */
async function attempt(take: () => unknown): Promise<void> {
  try {
    await take();
  } catch (refusal) {
    if (!(refusal instanceof Error) || !("code" in refusal || "status" in refusal)) throw refusal;
  }
}
