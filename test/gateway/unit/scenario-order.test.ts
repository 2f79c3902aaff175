import { expect, test } from "vitest";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { DEFAULT_SCENARIO } from "../../../src/gateway/settings/defaults.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { testWorld } from "../../support/gateway/world.ts";

test.each([
  ["follows the others", ["a", "b"], ["c"], ["a", "b", "c"]],
  ["goes before the default one, which stays last", [DEFAULT_SCENARIO, "a"], ["b"], ["a", "b", DEFAULT_SCENARIO]],
  ["keeps its place if it was first", ["a", "b"], ["a"], ["a", "b"]],
  ["keeps its place among others", ["a", "b", "c"], ["b"], ["a", "b", "c"]],
  ["goes first if that is wanted", ["a", "b"], ["c", "first"], ["c", "a", "b"]],
  ["goes first from its place if that is wanted", ["a", "b", "c"], ["b", "first"], ["b", "a", "c"]],
])("a scenario that starts %s", (_what, active, [name = "", first], expected) => {
  const { account } = testWorld();
  active.forEach((earlier) => begin(account, earlier));

  begin(account, name, first === "first");

  expect(namesIn(account)).toEqual(expected);
});

test("scenarios that start together keep their order", () => {
  const { account } = testWorld();
  begin(account, "a");

  beginScenarios(account, [
    { scenario: scenarioOf("version: 1\nname: b"), trusted: true },
    { scenario: scenarioOf("version: 1\nname: c"), trusted: true },
  ]);

  expect(namesIn(account)).toEqual(["a", "b", "c"]);
});

test("ending one scenario leaves the others; ending all leaves none, and again is no error", () => {
  const { account } = testWorld();
  ["a", "b", "c"].forEach((name) => begin(account, name));

  endScenarios(account, "b");
  const left = namesIn(account);
  endScenarios(account, undefined);
  endScenarios(account, undefined);

  expect({ left, names: namesIn(account) }).toEqual({ left: ["a", "c"], names: [] });
});

test("ending a scenario that does not run is refused", () => {
  const { account } = testWorld();
  begin(account, "a");

  expect(() => endScenarios(account, "b")).toThrow(expect.objectContaining({ kind: "not-found" }));

  expect(namesIn(account)).toEqual(["a"]);
});

function begin(account: RunningAccount, name: string, first = false): void {
  beginScenarios(account, [{ scenario: scenarioOf(`version: 1\nname: ${name}`), trusted: true, first }]);
}

function namesIn({ state }: RunningAccount): string[] {
  return state.scenarios.map(({ scenario }) => scenario.name);
}
