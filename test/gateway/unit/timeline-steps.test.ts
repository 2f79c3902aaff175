import { expect, test } from "vitest";
import { isRegistered } from "../../../src/gateway/account/state.ts";
import { available, cents } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { endScenarios, setBalance, setClock } from "../../../src/gateway/engine/commands.ts";
import { DAY, MINUTE } from "../../../src/gateway/domain/time.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { script, stateOf } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, type TestWorld, testWorld, WALL_START } from "../../support/gateway/world.ts";

const pays = (sum: number) => `timeline: [{ at: 1s, do: { wallet: { add: ${sum} } } }]`;

test.each([
  ['balance: "20.50"', { balance: 11_550, held: 9_500 }],
  ['add: "20.50"', { balance: 102_050, held: 9_500 }],
  ['add: "9999999999999.99"', { balance: 999_999_999_999_999, held: 9_500 }],
  ['balance: "9999999999999.99"', { balance: 999_999_999_999_999, held: 9_500 }],
])("a step of wallet: { %s } leaves what is held alone", async (change, wallet) => {
  const { account } = testWorld({ account: { balance: cents(100_000) } });
  await script(account, `timeline: [{ at: 500ms, do: { wallet: { ${change} } } }]`);
  buyAirtime(account, 100);

  await account.advance({ by: 500 }, 0);

  expect(account.state.wallet).toEqual(wallet);
});

test("steps at the start of a scenario each see what its setup and the steps before them have left", async () => {
  const { account } = testWorld();
  buyAirtime(account, 100);

  await script(
    account,
    `setup: { wallet: { balance: 100 } }
timeline: [{ at: 0s, do: { wallet: { add: 50 } } }, { at: 0s, do: { wallet: { add: 30 } } }]`,
  );

  expect(account.state.wallet).toEqual({ balance: 27_500, held: 9_500 });
  expect(account.pending().map(({ task }) => task.kind)).toEqual(["settle"]);
});

test("a scenario that is started again takes its steps again, and another's steps stay done", async () => {
  const { account } = testWorld({ account: { balance: cents(0) } });
  await script(account, pays(1), "one");
  await script(account, pays(100), "other");
  await account.advance({ by: 1_000 }, 0);

  await script(account, pays(1), "one");
  await account.advance({ by: 60_000 }, 0);

  expect(available(account.state.wallet)).toBe(10_200);
});

test("a repeated step comes at its interval beside other scenarios, until its own ends", async () => {
  const { account } = testWorld({ account: { balance: cents(0) } });
  await script(account, "", "before");
  await script(account, "timeline: [{ at: 1s, every: 10s, do: { wallet: { add: 1 } } }]");
  await script(account, "", "after");

  await account.advance({ by: 20_999 }, 0);
  const early = available(account.state.wallet);
  await account.advance({ by: 1 }, 0);
  endScenarios(account, "s");
  await account.advance({ by: 60_000 }, 0);

  expect({ early, available: available(account.state.wallet) }).toEqual({ early: 200, available: 300 });
});

test.each<[string, number, (world: TestWorld) => Promise<TestWorld>]>([
  [
    "a manual clock is advanced",
    0,
    async (world) => {
      await world.account.advance({ by: DAY }, 5_000);
      return world;
    },
  ],
  [
    "a manual clock becomes a real one",
    DAY,
    async (world) => {
      await setClock(world.account, { mode: "real" }, 0);
      return slicesDone(world);
    },
  ],
  [
    "a real clock was asleep",
    0,
    async ({ account }) => {
      await setClock(account, { mode: "real" }, 0);
      const store = lastingStore();
      store.append("sandbox-key", account.journal.read().events);
      const woken = restarted(store, { startAt: WALL_START + DAY });
      woken.account.wake();
      return slicesDone(woken);
    },
  ],
])("each repetition of a step comes when %s", async (_when, ahead, leap) => {
  const world = testWorld({ account: { balance: cents(0) }, startAt: WALL_START + ahead });
  await script(world.account, "timeline: [{ every: 1m, do: { wallet: { add: 1 } } }]");

  const { account } = await leap(world);

  expect({ paid: available(account.state.wallet), next: account.pending()[0]?.at }).toEqual({
    paid: 1_440 * 100,
    next: WALL_START + DAY + MINUTE,
  });
});

/** Lets a real clock do all that is due, slice by slice. */
async function slicesDone(world: TestWorld): Promise<TestWorld> {
  for (let slice = 0; slice < 20; slice += 1) {
    world.wall.advance(0);
    await allReady();
  }
  return world;
}

test.each<[string, (account: RunningAccount) => unknown, string]>([
  ["its scenario takes the carrier up", (account) => account.advance({ by: 10_000 }, 0), "succeeded"],
  ["its scenario ends", (account) => endScenarios(account, "s"), "succeeded"],
  ["its scenario starts again", (account) => script(account, DOWN), "succeeded"],
  ["another scenario ends", (account) => endScenarios(account, "other"), "queued"],
  ["another scenario starts again", (account) => script(account, "", "other"), "queued"],
])("when a carrier is down and %s, its results are %3$s", async (_when, change, state) => {
  const { account } = testWorld();
  await script(account, DOWN);
  await script(account, "", "other");
  await account.advance({ by: 1_000 }, 0);
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 2_000 }, 0);
  const before = stateOf(account, requestId);

  await change(account);
  await account.advance({ by: 0 }, 0);

  expect({ before, state: stateOf(account, requestId) }).toEqual({ before: "queued", state });
});

test("a carrier that is up again leaves the results of the one that is still down", async () => {
  const { account } = testWorld();
  await script(
    account,
    `timeline: [{ at: 0s, do: { carrier: { safaricom: down, airtel: down } } }, { at: 10s, do: { carrier: { airtel: up } } }]`,
  );
  const orders = [buyAirtime(account, 10, "254712345678"), buyAirtime(account, 10, "254733000001")];

  await account.advance({ by: 10_000 }, 0);

  expect(orders.map(({ requestId }) => stateOf(account, requestId))).toEqual(["queued", "succeeded"]);
});

test("each of two sender IDs that steps revoke stays revoked", async () => {
  const { account } = testWorld();

  await script(
    account,
    "timeline: [{ at: 0s, do: { sender_id: { SANDBOX: revoked } } }, { at: 0s, do: { sender_id: { 20254: revoked } } }]",
  );

  expect(["SANDBOX", "20254"].map((id) => isRegistered(account.state, id))).toEqual([false, false]);
});

test("a reset starts the timeline again on the wallet of the settings", async () => {
  const { account } = testWorld({ account: { balance: cents(1_000) } });
  await script(account, "timeline: [{ at: 1s, do: { wallet: { add: 1 } } }]");
  await account.advance({ by: 1_000 }, 0);
  setBalance(account, cents(0));

  account.reset();
  const fresh = available(account.state.wallet);
  await account.advance({ by: 1_000 }, 0);

  expect({ fresh, available: available(account.state.wallet) }).toEqual({ fresh: 1_000, available: 1_100 });
});

const DOWN =
  "timeline: [{ at: 1s, do: { carrier: { safaricom: down } } }, { at: 10s, do: { carrier: { safaricom: up } } }]";
