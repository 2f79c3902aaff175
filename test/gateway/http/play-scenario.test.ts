import { expect, test } from "vitest";
import { openShippedScenarios } from "../../../src/gateway/adapters/files/shipped-scenarios.ts";
import { callGateway, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { script } from "../../support/gateway/scripted.ts";

const shipped = await openShippedScenarios();
const withoutRules = shipped.names().filter((name) => (shipped.find(name)?.rules ?? []).length === 0);

const REFUSED = { ...VALID_AIRTIME, phone_number: "254700000429" };

test("a header lets a shipped scenario decide on one request, and on no other", async () => {
  await using sandbox = await startTestGateway();

  const played = await callGateway(sandbox, { headers: { "X-Kredo-Scenario": "magic-numbers" }, body: REFUSED });
  const next = await callGateway(sandbox, { body: REFUSED });

  expect({ played: played.status, next: next.status }).toEqual({ played: 429, next: 200 });
  expect(played.headers.get("x-kredo-rule")).toMatch(/^magic-numbers\/refused-429/);
  expect(sandbox.account.state.scenarios).toEqual([]);
});

test("the scenario that a header names is asked before those that are active; it may be one of those", async () => {
  await using sandbox = await startTestGateway({}, { scenarios: [] });
  await script(sandbox.account, "rules: [{ name: all, then: { refuse: 500 } }]");

  const played = await callGateway(sandbox, { headers: { "x-kredo-scenario": "magic-numbers" }, body: REFUSED });
  const active = await callGateway(sandbox, { headers: { "x-kredo-scenario": "s" }, body: REFUSED });

  expect({ played: played.status, active: active.status }).toEqual({ played: 429, active: 500 });
});

test("an active scenario that a header names goes first, once, and the other active ones follow it", async () => {
  await using sandbox = await startTestGateway({}, { scenarios: [] });
  await script(sandbox.account, "rules: [{ name: slow, then: { ack: { status: 202 } }, continue: true }]", "others");
  await script(sandbox.account, "rules: [{ name: second, when: { nth: 2 }, then: { refuse: 500 } }]", "named");
  const headers = { "x-kredo-scenario": "named" };

  const first = await callGateway(sandbox, { headers, body: REFUSED });
  const second = await callGateway(sandbox, { headers, body: REFUSED });

  expect({ first: first.status, second: second.status }).toEqual({ first: 202, second: 500 });
  expect(first.headers.get("x-kredo-rule")).toBe(
    "others/slow | not named/second: this is number 1 for the rule, not nth: 2",
  );
  expect(second.headers.get("x-kredo-rule")).toBe("named/second");
});

test("an unknown name is refused, so that a misspelling is noticed", async () => {
  await using sandbox = await startTestGateway();

  const told = await play(sandbox, "magic-nubmers");

  expect(told.status).toBe(422);
  expect(told.body["validation_errors"]).toEqual({
    "x-kredo-scenario": ['No scenario, active or shipped, is called "magic-nubmers".'],
  });
  expect(told.headers.get("x-kredo-hint")).toContain("did you mean magic-numbers?");
});

test.each(withoutRules)(
  "the shipped scenario %s, which has no rules, is refused, and says how it is started",
  async (name) => {
    await using sandbox = await startTestGateway();

    const told = await play(sandbox, name);

    expect(told.status).toBe(422);
    expect(told.body["validation_errors"]).toEqual({
      "x-kredo-scenario": [`The scenario ${name} has no rules, so it does nothing to a single request.`],
    });
    expect(told.headers.get("x-kredo-hint")).toBe(`start it on the account: kredo scenario start ${name}`);
    expect(sandbox.account.state.scenarios).toEqual([]);
  },
);

test("a header that names an active scenario without rules is refused, too", async () => {
  await using sandbox = await startTestGateway({}, { scenarios: [] });
  await script(sandbox.account, "timeline: [{ at: 1h, do: { credentials: revoked } }]", "later");

  expect((await play(sandbox, "later")).status).toBe(422);
});

test("without hints the header means nothing", async () => {
  await using sandbox = await startTestGateway({ hints: false });

  const told = [await play(sandbox, "magic-numbers"), await play(sandbox, "no-such-one")];

  expect(told.map(({ status }) => status)).toEqual([200, 200]);
});

function play(sandbox: TestGateway, name: string) {
  return callGateway(sandbox, { headers: { "X-Kredo-Scenario": name }, body: REFUSED });
}
