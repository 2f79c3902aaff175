import { expect, test } from "vitest";
import { endScenarios } from "../../../src/gateway/engine/commands.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";

const ONCE = rule("when: { first: 1 }, then: { refuse: 500 }");

test.each<[string, (sandbox: TestGateway) => unknown, number]>([
  ["starts again, its rules count anew", ({ account }) => script(account, ONCE, "s"), 500],
  ["ends, it refuses nothing", ({ account }) => endScenarios(account, "s"), 200],
  ["goes on while another starts, its rules count on", ({ account }) => script(account, "", "s2"), 200],
  ["goes on while another ends, its rules count on", ({ account }) => endScenarios(account, "other"), 200],
])("when a scenario %s", async (_what, change, status) => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, "", "other");
  await script(sandbox.account, ONCE, "s");
  const first = await sendAirtime(sandbox);
  const second = await sendAirtime(sandbox);

  await change(sandbox);
  const third = await sendAirtime(sandbox);

  expect({ first: first.status, second: second.status, third: third.status }).toEqual({
    first: 500,
    second: 200,
    third: status,
  });
});

test("a scenario that starts again leaves the counters of one with a longer name", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, ONCE, "long");
  await script(sandbox.account, ONCE, "longer");
  const before = [await sendAirtime(sandbox), await sendAirtime(sandbox), await sendAirtime(sandbox)];

  await script(sandbox.account, ONCE, "long");
  const after = [await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect([...before, ...after].map(({ status }) => status)).toEqual([500, 500, 200, 500, 200]);
});
