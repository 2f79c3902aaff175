import { expect, test } from "vitest";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { accountOpener } from "../../../src/gateway/account-opener.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { accountValue } from "../../../src/gateway/settings/account.ts";
import { testWorld } from "../../support/gateway/world.ts";

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

test("with a seed, the keys of opened accounts follow from it and from their numbers", async () => {
  const keys = await keysOf(1);

  expect(await keysOf(1)).toEqual(keys);
  expect(new Set([...keys, ...(await keysOf(2))]).size).toBe(4);
});

async function keysOf(seed: number): Promise<string[]> {
  const options = { random: seededRandom(), scenarios: [], reserve: async () => true };
  const opener = accountOpener(testWorld().world, gatewayOptions.parse({ seed }), options);
  const one = await opener.openWritten(accountValue.parse({}), true);
  const other = await opener.openWritten(accountValue.parse({}), true);
  return [one.consumerKey, other.consumerKey];
}
