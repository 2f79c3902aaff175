import { expect, test } from "vitest";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { changeAccount } from "../../support/gateway/change-account.ts";
import { script } from "../../support/gateway/scripted.ts";
import { callbacksTo, testWorld } from "../../support/gateway/world.ts";

function begin(account: RunningAccount, name: string, requests: number, more = ""): void {
  const text = `version: 1\nname: ${name}\nsetup: { rate_limit: { requests: ${requests}, per: 1s } }\n${more}`;
  const parsed = parseScenario(text, "test.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  beginScenarios(account, [{ scenario: parsed.scenario, trusted: true }]);
}

function limitOf({ state }: RunningAccount): number | undefined {
  return state.settings.rate_limit?.requests;
}

test("a scenario that ends before a later one does not come back with it", () => {
  const { account } = testWorld();
  begin(account, "a", 5);
  begin(account, "b", 2);

  endScenarios(account, "a");
  const between = limitOf(account);
  endScenarios(account, "b");

  expect({ between, limit: limitOf(account) }).toEqual({ between: 2, limit: undefined });
});

test("a scenario that ends after a later one is in force until then", () => {
  const { account } = testWorld();
  begin(account, "a", 5);
  begin(account, "b", 2);

  endScenarios(account, "b");
  const between = limitOf(account);
  endScenarios(account, undefined);

  expect({ between, limit: limitOf(account) }).toEqual({ between: 5, limit: undefined });
});

test("a rate limit that the timeline has set ends with its scenario", async () => {
  const { account } = testWorld();
  begin(account, "a", 5, "timeline: [{ at: 10s, do: { rate_limit: { requests: 1, per: 1s } } }]");

  await account.advance({ by: 11_000 }, 1_000);
  const during = limitOf(account);
  endScenarios(account, "a");

  expect({ during, limit: limitOf(account) }).toEqual({ during: 1, limit: undefined });
});

test("a limit that only the timeline has lifted is back when its scenario ends", async () => {
  const { account } = testWorld({ account: { rate_limit: { requests: 9, per: 1_000 } } });
  await script(
    account,
    "timeline: [{ at: 5s, do: { carrier: { airtel: down } } }, { at: 10s, do: { rate_limit: none } }]",
  );

  await account.advance({ by: 10_000 }, 1_000);
  const during = limitOf(account);
  endScenarios(account, "s");

  expect({ during, limit: limitOf(account) }).toEqual({ during: undefined, limit: 9 });
});

test("a limit that somebody has changed by hand stays when a scenario ends", async () => {
  const { account } = testWorld({ account: { rate_limit: { requests: 9, per: 1_000 } } });
  begin(account, "a", 5);
  await script(account, "timeline: [{ at: 10s, do: { rate_limit: none } }]", "b");

  changeAccount(account, { rate_limit: { requests: 7, per: 1_000 } });
  endScenarios(account, undefined);

  expect(limitOf(account)).toBe(7);
});

test.each(["airtime", "sms"])("the URL that a scenario has set for callbacks of %s ends with it", (operation) => {
  const { account } = testWorld();
  const text = `version: 1\nname: a\nsetup: { callbacks: { ${operation}: "http://receiver.test/hook" } }`;
  const parsed = parseScenario(text, "test.yaml");

  beginScenarios(account, "scenario" in parsed ? [{ scenario: parsed.scenario, trusted: true }] : []);
  const during = account.state.settings.callbacks.urls;
  endScenarios(account, "a");

  expect(during).toEqual({ [operation]: { url: "http://receiver.test/hook", trusted: true } });
  expect(account.state.settings.callbacks.urls).toEqual({});
});

test("a scenario that is started again in another version takes back what the earlier one set", () => {
  const { account } = testWorld();
  begin(account, "a", 5);
  const parsed = parseScenario("version: 1\nname: a\n", "test.yaml");

  beginScenarios(account, "scenario" in parsed ? [{ scenario: parsed.scenario, trusted: true }] : []);

  expect(limitOf(account)).toBeUndefined();
});

test("a reset leaves the scenario in force, and its end still takes back what it set", () => {
  const { account } = testWorld();
  begin(account, "a", 5);

  account.reset();
  const during = limitOf(account);
  endScenarios(account, "a");

  expect({ during, limit: limitOf(account) }).toEqual({ during: 5, limit: undefined });
});

test("a scenario that sets nothing up changes no settings, neither when it begins nor when it ends", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });

  await script(account, "rules: [{ name: r, then: { refuse: 500 } }]");
  endScenarios(account, "s");

  expect(account.read(1).events.map(({ kind }) => kind)).toEqual(["scenarios-changed", "scenarios-changed"]);
});

test.each([
  ["rate_limit: { requests: 5, per: 1s }", { rate_limit: { requests: 5, per: 1_000 } }, { rate_limit: null }],
  [
    "sender_ids: [{ sender_id: MFANO, carriers: [airtel] }]",
    { sender_ids: [{ sender_id: "MFANO", carriers: ["airtel"] }] },
    { sender_ids: [] },
  ],
])("a setup of %s changes that alone, and its end takes it back", async (setup, set, takenBack) => {
  const { account } = testWorld({ account: { sender_ids: [] } });

  await script(account, `setup: { ${setup} }`);
  endScenarios(account, "s");

  const at = account.now();
  expect(account.read(1).events.filter(({ kind }) => kind !== "scenarios-changed")).toEqual([
    { kind: "account-changed", at, ...set },
    { kind: "account-changed", at, ...takenBack },
  ]);
});
