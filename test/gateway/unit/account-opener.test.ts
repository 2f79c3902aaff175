import { expect, test } from "vitest";
import type * as z from "zod";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { accountOpener } from "../../../src/gateway/account-opener.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { accountValue } from "../../../src/gateway/settings/account.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const WATCHED: Scenario = { version: 1, name: "watched", rules: [{ name: "busy", then: { refuse: { status: 500 } } }] };

test("an account that is being opened when a scenario changes starts with its new version", async () => {
  const { world } = testWorld();
  const scenarios = [{ ...WATCHED, name: "other" }, WATCHED];
  const opener = accountOpener(world, gatewayOptions.parse({}), {
    random: seededRandom(),
    scenarios,
    reserve: async () => true,
  });

  const opening = opener.openWritten({ ...accountValue.parse({}), consumer_key: "new" }, true);
  await Promise.resolve();
  opener.swapScenario({ was: "watched", scenario: { ...WATCHED, description: "New." } });
  const { state } = await opening;

  expect(state.scenarios.map(({ scenario }) => scenario.description)).toEqual([undefined, "New."]);
});

test("a key that is taken elsewhere is refused if it was asked for, and another one is made up if it was not", async () => {
  const answers = [false, false, false, true];
  const opener = accountOpener(testWorld().world, gatewayOptions.parse({}), {
    random: seededRandom(),
    scenarios: [],
    reserve: async () => answers.shift() ?? false,
  });

  const refused = opener.openWritten({ ...accountValue.parse({}), consumer_key: "taken" }, true);
  await expect(refused).rejects.toMatchObject({ kind: "conflict" });
  const { consumerKey } = await opener.openWritten(accountValue.parse({}), true);

  expect({ consumerKey, answers }).toEqual({ consumerKey: expect.stringMatching(/^sandbox-/), answers: [] });
});

test("with a seed, the keys of opened accounts follow from it and from their numbers", async () => {
  const keys = await keysOf(1);

  expect(await keysOf(1)).toEqual(keys);
  expect(new Set([...keys, ...(await keysOf(2))]).size).toBe(4);
});

test("an account's own seed gives it the same profile and the same run with any key", async () => {
  const accounts = [await openedWith({ seed: 1 }), await openedWith({ seed: 1 }), await openedWith({ seed: 2 })];
  const [one, again, other] = accounts.map(runOf);

  expect(new Set(accounts.map(({ consumerKey }) => consumerKey)).size).toBe(3);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test("under the sandbox's seed, the consumer key gives an account its run, which the seed that it shows gives again", async () => {
  const [one, again, other] = [await openedBy("a"), await openedBy("a"), await openedBy("b")];
  const replayed = await openedWith({ seed: other.state.seed });

  expect(runOf(again)).toEqual(runOf(one));
  expect(other.state.seed).not.toBe(one.state.seed);
  expect(runOf(replayed)).toEqual(runOf(other));
});

function openedBy(key: string): Promise<RunningAccount> {
  return openedWith({ consumer_key: key }, { seed: 7 });
}

function openedWith(account: z.input<typeof accountValue>, sandbox: { seed?: number } = {}): Promise<RunningAccount> {
  const options = { random: seededRandom(), scenarios: [], reserve: async () => true };
  return accountOpener(testWorld().world, gatewayOptions.parse({ clock: "manual", ...sandbox }), options).openWritten(
    accountValue.parse(account),
    true,
  );
}

function runOf(account: RunningAccount): unknown {
  return [account.state.seed, account.state.settings.organization, buyAirtime(account, 10)];
}

async function keysOf(seed: number): Promise<string[]> {
  const options = { random: seededRandom(), scenarios: [], reserve: async () => true };
  const opener = accountOpener(testWorld().world, gatewayOptions.parse({ seed }), options);
  const one = await opener.openWritten(accountValue.parse({}), true);
  const other = await opener.openWritten(accountValue.parse({}), true);
  return [one.consumerKey, other.consumerKey];
}
