import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { createDirector } from "../../src/scenario/director.ts";
import { testControl } from "../support/control.ts";

const YAML =
  "version: 1\nname: s\nrules:\n  - { name: no, then: { refuse: 403 } }\ntimeline:\n  - { at: 5s, do: { credentials: revoked } }\n";
const CALLED = "/accounts/default/scenarios";
const AS_YAML = { "content-type": "application/yaml" };

test("begins a scenario in YAML and lists it", async () => {
  const { call } = testControl({ director: createDirector() });

  const begun = await call("POST", CALLED, YAML, AS_YAML);
  const listed = await call("GET", CALLED);

  expect(begun.status).toBe(201);
  expect(listed.body).toEqual({
    items: [
      {
        name: "s",
        since: "2025-01-06T06:00:00.000Z",
        state: "start",
        rules: [{ name: "no", is: "on", effects: "refused with 403" }],
        timeline: [{ at: "2025-01-06T06:00:05.000Z", action: "credentials", is: "to come" }],
      },
    ],
    total: 1,
  });
});

test("refuses a scenario with every mistake, its line and its column, and changes nothing", async () => {
  const { call, account } = testControl();

  const { status, body } = await call("POST", CALLED, "version: 1\nname: s\nrules:\n  - { name: no, then: { refuze: 403 } }\n", AS_YAML);

  expect(status).toBe(422);
  expect(body.problems).toMatchObject([{ path: expect.stringMatching(/^4:\d+ rules\[0\]\.then/) }]);
  expect(account.version).toBe(1);
});

test("refuses a scenario in JSON with the path of each mistake", async () => {
  const { call } = testControl();

  const { status, body } = await call("POST", CALLED, { version: 1, name: "s", rules: [{ name: "no", then: { refuse: 418 } }] });

  expect([status, body.problems[0].path]).toEqual([422, "rules[0].then.refuse"]);
});

test("switches a rule off and on, and knows no other", async () => {
  const { call } = testControl();
  await call("POST", CALLED, YAML, AS_YAML);

  const off = await call("PATCH", `${CALLED}/s`, { rule: { no: "off" } });
  const unknown = await call("PATCH", `${CALLED}/s`, { rule: { yes: "off" } });

  expect(off.body.items[0].rules).toMatchObject([{ name: "no", is: "off" }]);
  expect(unknown.status).toBe(404);
});

test("ends one scenario, or all of them", async () => {
  const { call, account } = testControl();
  await call("POST", CALLED, YAML, AS_YAML);
  await call("POST", CALLED, YAML.replace("name: s", "name: t"), AS_YAML);

  const unknown = await call("DELETE", `${CALLED}/u`);
  const one = await call("DELETE", `${CALLED}/s`);
  const left = account.state.scenarios.length;
  const all = await call("DELETE", CALLED);

  expect([unknown.status, one.status, left, all.status, account.state.scenarios.length]).toEqual([404, 204, 1, 204, 0]);
});

test("in process a scenario is a text or an object, and a test sees what it does", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });

  const begun = await sandbox.scenario(YAML);
  const { status } = await sandbox.fetch("/api/v2/airtime", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ phone_number: "254712345678", amount: "10" }),
  });
  await sandbox.switchRule("s", "no", "off");
  const [switched] = await sandbox.scenarios();
  await sandbox.endScenario();

  expect(begun.map(({ name }) => name)).toEqual(["s", "magic-numbers"]);
  expect(status).toBe(403);
  expect(switched?.rules).toMatchObject([{ is: "off" }]);
  expect(await sandbox.scenarios()).toEqual([]);
});
