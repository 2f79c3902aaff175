import { expect, test } from "vitest";
import { endScenarios, swapOnAccount } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { callGateway, sendAirtime, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
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

test.each(["s", "renamed"])("a new version of a scenario, called %s, counts on", async (name) => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, rule("when: { nth: 3 }, then: { refuse: 500 }"), "s");
  const before = [await sendAirtime(sandbox), await sendAirtime(sandbox)];

  const scenario = scenarioOf(`version: 1\nname: ${name}\n${rule("when: { nth: 3 }, then: { refuse: 403 }")}`);
  swapOnAccount(sandbox.account, { was: "s", scenario });
  const after = [await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect([...before, ...after].map(({ status }) => status)).toEqual([200, 200, 403, 200]);
});

test("what the header has played of a scenario does not count for its later start", async () => {
  await using sandbox = await startTestGateway();
  const headers = { "x-kredo-scenario": "flaky-500s-that-recover" };
  const play = () => callGateway(sandbox, { headers, body: VALID_AIRTIME });
  const played = [await play(), await play(), await play()];

  await script(
    sandbox.account,
    rule("when: { first: 2, per: phone_number }, then: { refuse: 500 }"),
    headers["x-kredo-scenario"],
  );
  const started = [await sendAirtime(sandbox), await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect({ played: played.map(({ status }) => status), started: started.map(({ status }) => status) }).toEqual({
    played: [500, 500, 200],
    started: [500, 500, 200],
  });
});

const LIMIT = "setup: { rate_limit: { requests: 1, per: 1h } }";

test.each<[string, (sandbox: TestGateway) => unknown, number[]]>([
  ["starts again, its window begins", ({ account }) => script(account, LIMIT, "s"), [200, 429]],
  [
    "gives way to another that sets a limit, that one's window begins",
    ({ account }) => script(account, LIMIT, "t"),
    [200, 429],
  ],
  ["ends, the window of the account's own limit begins", ({ account }) => endScenarios(account, "s"), [200, 200, 429]],
  ["goes on while one without a limit starts, its window goes on", ({ account }) => script(account, "", "t"), [429]],
  [
    "goes on under another name, its window goes on",
    ({ account }) => swapOnAccount(account, { was: "s", scenario: scenarioOf(`version: 1\nname: t\n${LIMIT}`) }),
    [429],
  ],
])("when a scenario that limits the rate %s", async (_what, change, statuses) => {
  await using sandbox = await startTestGateway({
    accounts: [
      { consumer_key: "sandbox-key", consumer_secret: "sandbox-secret", rate_limit: { requests: 2, per: "1h" } },
    ],
  });
  await script(sandbox.account, LIMIT, "s");
  const before = [await sendAirtime(sandbox), await sendAirtime(sandbox)];

  await change(sandbox);
  const after = [await sendAirtime(sandbox), await sendAirtime(sandbox), await sendAirtime(sandbox)];

  expect(before.map(({ status }) => status)).toEqual([200, 429]);
  expect(after.map(({ status }) => status).slice(0, statuses.length)).toEqual(statuses);
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
