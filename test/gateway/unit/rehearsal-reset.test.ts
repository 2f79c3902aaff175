import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

test("a reset ends the rehearsal, and brings back what the rehearsal replaced", () => {
  const { account } = testWorld({ account: { balance: cents(50_000) } });
  const { settings, clock } = account.state;
  const before = { settings: { ...settings, callbacks: callbacksTo("http://localhost:4000/own") }, scenarios: [] };
  const rehearsed = { ...settings, balance: cents(20_000), callbacks: callbacksTo("http://localhost:3000/hook") };
  account.import([
    { kind: "opened", at: WALL_START, settings: rehearsed, clock, seed: 2, rehearsal: "double callback", before },
  ]);
  buyAirtime(account, 100);

  account.reset();

  expect(account.state.settings).toEqual(before.settings);
  expect(account.state.wallet).toEqual({ balance: 50_000, held: 0 });
  expect({ rehearsal: account.state.rehearsal, before: account.state.before }).toEqual({
    rehearsal: undefined,
    before: undefined,
  });
});
