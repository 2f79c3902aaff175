import { expect, test } from "vitest";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { COUNTED_CONTENTS } from "../../../src/gateway/account/run-label.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, refuseRequest, testWorld } from "../../support/gateway/world.ts";

test("a scenario counts by itself, also if its rule has the name of one that started with others, and leaves nothing", async () => {
  const { account } = testWorld();
  const counting = rule("when: { first: 1 }, then: { result: { outcome: failed } }");
  beginScenarios(account, [
    { scenario: scenarioOf("version: 1\nname: a"), trusted: true },
    { scenario: scenarioOf(`version: 1\nname: b\n${counting}`), trusted: true },
  ]);
  const outcomes = [buyAirtime(account, 10)];
  await script(account, counting, "c");
  outcomes.push(buyAirtime(account, 20), buyAirtime(account, 30));

  endScenarios(account, undefined);

  expect(outcomes.map(({ plan }) => plan.result.outcome)).toEqual(["failed", "failed", "success"]);
  expect(account.state.counters.size).toBe(0);
});

test("contents that a scenario with a seed counts, however many, push out no counter of its rules", async () => {
  const { account } = testWorld();
  await script(account, `seed: 7\n${rule("when: { amount: 10, first: 1 }, then: { result: { outcome: failed } } ")}`);
  const first = buyAirtime(account, 10).plan.result.outcome;
  for (let content = 0; content < COUNTED_CONTENTS; content += 1) account.state.counters.set(`#0/ ${content}`, 1);

  refuseRequest(account, 422);

  expect([first, buyAirtime(account, 10).plan.result.outcome]).toEqual(["failed", "success"]);
});
