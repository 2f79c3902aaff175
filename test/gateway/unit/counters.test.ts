import { expect, test } from "vitest";
import { COUNTED_CONTENTS } from "../../../src/gateway/account/run-label.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, refuseRequest, testWorld } from "../../support/gateway/world.ts";

test("contents that a scenario with a seed counts, however many, push out no counter of its rules", async () => {
  const { account } = testWorld();
  await script(account, `seed: 7\n${rule("when: { amount: 10, first: 1 }, then: { result: { outcome: failed } } ")}`);
  const first = buyAirtime(account, 10).plan.result.outcome;
  for (let content = 0; content < COUNTED_CONTENTS; content += 1) account.state.counters.set(`#0/ ${content}`, 1);

  refuseRequest(account, 422);

  expect([first, buyAirtime(account, 10).plan.result.outcome]).toEqual(["failed", "success"]);
});
