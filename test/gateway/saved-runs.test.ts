import { expect, test } from "vitest";
import { topUp } from "../../src/engine/commands.ts";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";
import { script } from "../support/scripted.ts";
import { testControl, type TestControl } from "../support/control.ts";
import { buyAirtime, callbacksTo, sendSms } from "../support/world.ts";

const SINK = callbacksTo("kredo:sink");

test("saves a run as YAML that leads another account to the same callbacks", async () => {
  const control = testControl({ account: { callbacks: SINK } });
  const { account, fetch } = control;
  await script(
    account,
    "rules: [{ name: odd, when: { operation: sms, nth: 2 }, then: { result: { result_code: 404 }, callback: { times: 2, gap: 3s } } }]",
  );
  await play(control, "sandbox-key");

  const saved = await fetch("/accounts/default/export?as=scenario");
  await fetch("/accounts", { method: "POST", headers: JSON_TYPE, body: '{"consumer_key":"fresh"}' });
  const loaded = await fetch("/accounts/fresh/scenarios", {
    method: "POST",
    headers: YAML_TYPE,
    body: await saved.clone().text(),
  });
  await play(control, "fresh");

  expect(saved.headers.get("content-type")).toBe("application/yaml");
  expect(loaded.status).toBe(201);
  const [before, after] = [await bodiesOf(control, "sandbox-key"), await bodiesOf(control, "fresh")];
  expect(before).toHaveLength(4);
  expect(after).toEqual(before);
});

test("says at the head of the file what it cannot say in it", async () => {
  const { account, fetch } = testControl({ account: { callbacks: SINK } });
  buyAirtime(account, 10);
  topUp(account, account.state.wallet.balance);
  buyAirtime(account, 20);

  const saved = await (await fetch("/accounts/default/export?as=scenario")).text();

  expect(saved.split("\n").slice(0, 2)).toEqual([
    "# Not included:",
    "# - 1 manual changes came between requests or results of the same moment; here they come after them",
  ]);
  expect(parseScenario(saved, "saved.yaml")).toMatchObject({
    warnings: [],
    scenario: { timeline: [{ at: 1, do: { wallet: {} } }] },
  });
});

test("keeps what was there before the first request as the setup, and what came by hand on the timeline", async () => {
  const { account, call, fetch } = testControl({ account: { callbacks: SINK } });
  await call("PUT", "/accounts/default/wallet", { balance: "70" });
  buyAirtime(account, 10);
  await call("POST", "/accounts/default/clock/advance", { by: "5s" });
  await call("PUT", "/accounts/default/wallet", { balance: "3" });

  const saved = await (await fetch("/accounts/default/export?as=scenario")).text();

  expect(parseScenario(saved, "saved.yaml")).toMatchObject({
    scenario: {
      setup: { wallet: { balance: 7_000 }, identity: { seed: 1, account: "sandbox-key" } },
      timeline: [{ at: 5_000, do: { wallet: { balance: 300 } } }],
    },
  });
});

test("cannot save a run whose beginning was evicted, and says so", async () => {
  const { account, call } = testControl({ bounds: { max_transactions: 1 } });
  await Array.from({ length: 300 }).reduce<Promise<unknown>>(async (before) => {
    await before;
    buyAirtime(account, 5);
    return account.advance({ by: 1_000 }, 1_000);
  }, Promise.resolve());

  const answer = await call("GET", "/accounts/default/export?as=scenario");

  expect(answer.status).toBe(410);
  expect(answer.body.problem).toMatch(/^the beginning of this run was evicted/);
});

test("takes no other word for what to export, and describes both", async () => {
  const { call } = testControl();

  const unknown = await call("GET", "/accounts/default/export?as=song");
  const { body } = await call("GET", "/openapi.json");

  expect(unknown.status).toBe(422);
  const { get } = body.paths["/__admin/accounts/{account}/export"];
  expect(Object.keys(get.responses[200].content)).toEqual(["application/json", "application/yaml"]);
  expect(get.parameters[1]).toMatchObject({ name: "as", in: "query", required: false });
});

const JSON_TYPE = { "content-type": "application/json" };
const YAML_TYPE = { "content-type": "application/yaml" };

/** The same requests in the same order. */
async function play({ world }: TestControl, key: string): Promise<void> {
  const account = world.get(key);
  buyAirtime(account, 100);
  sendSms(account, 'Say "#1: yes"\n');
  sendSms(account, 'Say "#1: yes"\n');
  await account.advance({ by: 10_000 }, 1_000);
}

async function bodiesOf({ world }: TestControl, key: string): Promise<unknown[]> {
  const { events } = world.get(key).read();
  const settled = events.flatMap((event) => (event.kind === "settled" ? [event] : []));
  return events.flatMap((event) => {
    if (event.kind !== "attempted") return [];
    const told = settled.find(({ requestId }) => requestId === event.requestId);
    return [
      {
        at: event.at,
        id: event.requestId,
        charge: told?.charge,
        balance: told?.available,
        code: told?.resultCode,
        text: told?.resultDesc,
      },
    ];
  });
}
