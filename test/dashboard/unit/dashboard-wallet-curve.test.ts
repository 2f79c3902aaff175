import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";
import { readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { walletCurve } from "../../../src/dashboard/views/account/wallet-curve.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("has one point for each change of what is available, and none for a settlement that changed nothing", async () => {
  const { account } = testWorld({ account: { balance: cents(10_000) } });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  topUp(account, cents(500));

  const curve = walletCurve(readLedger(account.read()));

  expect(curve).toEqual([
    { at: START, available: 10_000 },
    { at: START, available: 500 },
    { at: START + 1_000, available: 1_000 },
  ]);
});

test("keeps at most 2,000 points, among them the first, the last, the lowest and the highest", async () => {
  const { account } = testWorld();
  const { events: opening } = account.read();

  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000_000 }), { minLength: 2_001, maxLength: 9_000, size: "max" }),
      (balances) => {
        const set = balances.map((balance, index): AccountEvent => ({
          kind: "wallet-set",
          at: START + index,
          available: cents(balance),
        }));

        const curve = walletCurve(readLedger({ first: 1, events: [...opening, ...set] }));

        const amounts = curve.map(({ available }) => Number(available));
        const all = [1_000_000, ...balances];
        expect(curve.length).toBeLessThanOrEqual(2_000);
        expect(amounts.at(0)).toBe(1_000_000);
        expect(amounts.at(-1)).toBe(all.at(-1));
        expect(Math.min(...amounts)).toBe(Math.min(...all));
        expect(Math.max(...amounts)).toBe(Math.max(...all));
        expect(curve.map(({ at }) => at)).toEqual(curve.map(({ at }) => at).toSorted((one, other) => one - other));
      },
    ),
    { numRuns: 15 },
  );
});
