import { expect, test } from "vitest";
import { settleTransaction } from "../../../src/gateway/account/decide/settle.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { setBalance } from "../../../src/gateway/engine/commands.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

test("setting the wallet sets what is available; holds stay", async () => {
  const { account } = testWorld();
  buyAirtime(account, 100);

  setBalance(account, cents(100));

  expect(account.state.wallet).toEqual({ balance: 9_600, held: 9_500 });
});

test("a wallet that is set below the holds still covers them", async () => {
  const { account } = testWorld();
  buyAirtime(account, 100);
  setBalance(account, cents(0));

  await account.advance({ by: 1_000 }, 0);

  expect(account.state.wallet).toEqual({ balance: 0, held: 0 });
});

test.each([
  [0, 0, 10_000, undefined],
  [5_000, 5_000, 5_000, undefined],
  [10_000, 10_000, 0, undefined],
  [10_001, 10_000, 0, 1],
  [999_999, 10_000, 0, 989_999],
])(
  "a scripted charge of %i cents is %i of the hold and what is available, which leaves %i",
  async (scripted, charged, left, unpaid) => {
    const { account } = testWorld({
      account: { balance: cents(10_000), callbacks: callbacksTo("http://receiver.test/hook") },
    });
    const { requestId } = buyAirtime(account, 100);
    const verdict = { isSuccess: true, resultCode: 200, resultDesc: "Scripted.", charge: cents(scripted) };

    const settled = account.journal.run((state, at) => {
      const event = settleTransaction(state, requestId, at, verdict);
      return { events: event ? [event] : [], answer: event };
    });

    expect(settled).toMatchObject({ charge: charged, available: left, outcome: "succeeded" });
    expect(settled?.unpaid).toBe(unpaid);
    expect(account.state.wallet).toEqual({ balance: left, held: 0 });
  },
);

test("a scripted charge leaves the holds of others alone", async () => {
  const { account } = testWorld({ account: { balance: cents(20_000) } });
  const { requestId } = buyAirtime(account, 100);
  buyAirtime(account, 50);
  const verdict = { isSuccess: true, resultCode: 200, resultDesc: "Scripted.", charge: cents(999_999) };

  account.journal.append((state, at) => [settleTransaction(state, requestId, at, verdict)]);

  expect(account.state.wallet).toEqual({ balance: 4_750, held: 4_750 });
});
