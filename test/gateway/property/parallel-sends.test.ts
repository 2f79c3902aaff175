import fc from "fast-check";
import { expect, test } from "vitest";
import { cents, formatKes, available } from "../../../src/gateway/domain/kes.ts";
import { Refused } from "../../../src/gateway/domain/refusal.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { openGateway } from "../../../src/gateway/open-gateway.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { airtime, placeOrder, testWorld } from "../../support/gateway/world.ts";

const PARALLEL = 1_000;

/** What airtime for KES 10 costs at 5 percent discount. */
const PRICE = 950;

/** Money for so many sends, and a rest that is not enough for one more. */
const budgets = fc.record({
  affordable: fc.integer({ min: 0, max: 1_100 }),
  rest: fc.integer({ min: 0, max: PRICE - 1 }),
});

test("of 1,000 parallel sends as many are taken as the money lasts for", async () => {
  await fc.assert(
    fc.asyncProperty(budgets, async ({ affordable, rest }) => {
      const account = openAccount(affordable * PRICE + rest);

      const answers = Array.from({ length: PARALLEL }, () => send(account));

      const taken = Math.min(affordable, PARALLEL);
      expect(tally(answers)).toEqual({ 200: taken, 402: PARALLEL - taken });
      expect(account.state.transactions.size).toBe(taken);
      expect(account.state.wallet).toEqual({ balance: affordable * PRICE + rest, held: taken * PRICE });
      await account.advance({ by: 1_000 }, 60_000);
      expect(account.state.wallet).toEqual({ balance: (affordable - taken) * PRICE + rest, held: 0 });
    }),
    { numRuns: 15 },
  );
});

test.each([0, 1, 400, 1_000])(
  "through the gateway too: money for %i sends is as many answers of 200, and as many holds",
  async (affordable) => {
    const settings = gatewayOptions.parse({
      seed: 1,
      clock: { mode: "manual" },
      accounts: [{ balance: formatKes(cents(affordable * PRICE + 1)) }],
    });
    const running = await openGateway(settings, { report: String });

    const responses = await Promise.all(Array.from({ length: PARALLEL }, () => running.fetch(topUpRequest())));

    const { state, journal } = running.world.get("default");
    const kinds = journal.read().events.map(({ kind }) => kind);
    expect(tally(responses.map(({ status }) => status))).toEqual({ 200: affordable, 402: PARALLEL - affordable });
    expect(kinds.filter((kind) => kind === "accepted")).toHaveLength(affordable);
    expect(kinds.filter((kind) => kind === "refused")).toHaveLength(PARALLEL - affordable);
    expect(state.wallet).toEqual({ balance: affordable * PRICE + 1, held: affordable * PRICE });
    expect(available(state.wallet)).toBe(1);
    await running.close();
  },
);

function openAccount(balance: number): RunningAccount {
  return testWorld({ account: { balance: cents(balance) } }).account;
}

function send(account: RunningAccount): number {
  try {
    placeOrder(account, airtime(10));
    return 200;
  } catch (refusal) {
    if (refusal instanceof Refused) return refusal.code;
    throw refusal;
  }
}

function tally(answers: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = { 200: 0, 402: 0 };
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

function topUpRequest(): Request {
  return new Request("http://sandbox.test/api/v2/airtime", {
    method: "POST",
    headers: { authorization: `Basic ${btoa("sandbox-key:sandbox-secret")}`, "content-type": "application/json" },
    body: JSON.stringify({ phone_number: "254712345678", amount: "10" }),
  });
}
