import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const OUTAGES = `timeline:
  - { at: 500ms, do: { carrier: { safaricom: down } } }
  - { at: 3s, do: { carrier: { safaricom: up, airtel: down } } }
  - { at: 6s, do: { carrier: { airtel: up } } }`;

const NUMBERS = ["254712345678", "254733123456"];

test("no pending work lies in the past, and the first of it is what an advance to the next goes to", async () => {
  const steps = fc.array(fc.record({ number: fc.constantFrom(...NUMBERS), by: fc.integer({ min: 0, max: 2_000 }) }), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (orders) => {
      const { account } = await scriptedWorld(OUTAGES, {
        account: { callbacks: callbacksTo("http://receiver.test/") },
      });
      for (const { number, by } of orders) {
        buyAirtime(account, 10, number);
        await account.advance({ by }, 1_000);
      }

      const now = account.now();
      const moments = account.pending().flatMap(({ at }) => (at === undefined ? [] : [at]));
      await account.advance({ to: "next" }, 1_000);

      expect(moments.filter((at) => at < now)).toEqual([]);
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
      expect(account.now()).toBe(moments[0] ?? now);
    }),
    { numRuns: 50 },
  );
});
