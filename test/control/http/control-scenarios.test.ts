import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { testControl } from "../../support/control.ts";

const YAML =
  "version: 1\nname: s\nrules:\n  - { name: no, then: { refuse: 403 } }\ntimeline:\n  - { at: 5s, do: { credentials: revoked } }\n";
const CALLED = "/accounts/default/scenarios";
const AS_YAML = { "content-type": "application/yaml" };

test("begins a scenario before all others where place is first, also when it is active behind them", async () => {
  const { call } = testControl();
  await call("POST", CALLED, { name: "callback-never" });
  await call("POST", CALLED, YAML, AS_YAML);

  const moved = await call("POST", `${CALLED}?place=first`, YAML, AS_YAML);
  const last = await call("POST", CALLED, { name: "duplicate-callbacks" });

  const { body } = await call("GET", CALLED);
  expect({ moved: moved.body.name, last: last.body.name }).toEqual({ moved: "s", last: "duplicate-callbacks" });
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(["s", "callback-never", "duplicate-callbacks"]);
});

test("begins a scenario in YAML, shows it and lists it", async () => {
  const { call } = testControl();

  const begun = await call("POST", CALLED, YAML, AS_YAML);
  const listed = await call("GET", CALLED);

  const shown = {
    name: "s",
    since: "2025-01-06T06:00:00.000Z",
    rules: [{ name: "no", is: "on", when: "", effects: "refuse: 403" }],
    timeline: [{ at: "2025-01-06T06:00:05.000Z", action: "credentials: revoked", is: "to come" }],
    restores: [],
  };
  expect(begun).toMatchObject({ status: 201, body: shown });
  expect(listed.body).toEqual({ items: [shown], total: 1, restores: [] });
});

test("refuses a scenario with every mistake, its line and its column, and changes nothing", async () => {
  const { call, account } = testControl();

  const { status, body } = await call(
    "POST",
    CALLED,
    "version: 1\nname: s\nrules:\n  - { name: no, then: { refuze: 403 } }\n",
    AS_YAML,
  );

  expect(status).toBe(422);
  expect(body.problems).toEqual([
    { path: "rules[0].then.refuze", line: 4, column: 25, problem: "is not a key", repair: 'did you mean "refuse"?' },
  ]);
  expect(account.journal.version).toBe(1);
});

test("refuses a scenario in JSON with the place of each mistake, too", async () => {
  const { call } = testControl();

  const { status, body } = await call(
    "POST",
    CALLED,
    '{\n\t"version": 1,\n\t"name": "s",\n\t"rules": [{ "name": "no", "then": { "refuse": 200 } }]\n}',
  );

  expect(status).toBe(422);
  expect(body).toMatchObject({
    problem: "body:4:48 rules[0].then.refuse: 200 refuses nothing unless its body is not the gateway's",
    problems: [{ path: "rules[0].then.refuse", line: 4, column: 48 }],
  });
});

test.each([
  [{ name: "callback-never" }, {}],
  ["name: callback-never\n", AS_YAML],
  ["callback-never\n", AS_YAML],
])("begins a shipped scenario by its name: %j", async (body, headers) => {
  const { call } = testControl();

  const { status, body: answer } = await call("POST", CALLED, body, headers);

  expect({ status, started: answer.name }).toEqual({ status: 201, started: "callback-never" });
});

test.each([
  [{ name: "callback-nevre" }, {}],
  ["callback-nevre", AS_YAML],
])("knows no other names: %j", async (named, headers) => {
  const { call } = testControl();

  const { status, body } = await call("POST", CALLED, named, headers);

  expect(status).toBe(422);
  expect(body).toMatchObject({
    problem: '"callback-nevre" is not a shipped scenario',
    repair: 'did you mean "callback-never"?',
  });
});

test("says which requests a rule is about as its file does", async () => {
  const { call } = testControl();
  const rule =
    "{ name: r, when: { operation: sms, sender_id: '20254', during: { from: 5s }, first: 2, per: phone_number }, then: {} }";
  await call("POST", CALLED, `version: 1\nname: s\nrules: [${rule}]`, AS_YAML);

  const { body } = await call("GET", CALLED);

  expect(body.items[0].rules[0].when).toBe(
    'operation: sms, sender_id: "20254", during: { from: 5s }, first: 2, per: phone_number',
  );
});

test("switches a rule off and on, and knows no other", async () => {
  const { call } = testControl();
  await call("POST", CALLED, YAML, AS_YAML);

  const off = await call("PATCH", `${CALLED}/s`, { rule: "no", on: false });
  const unknown = await call("PATCH", `${CALLED}/s`, { rule: "yes", on: false });

  expect(off.body.rules).toMatchObject([{ name: "no", is: "off" }]);
  expect(unknown.status).toBe(404);
});

test("ends one scenario, or all of them", async () => {
  const { call, account } = testControl();
  await call("POST", CALLED, YAML, AS_YAML);
  await call("POST", CALLED, YAML.replace("name: s", "name: t"), AS_YAML);

  const unknown = await call("DELETE", `${CALLED}/u`);
  const one = await call("DELETE", `${CALLED}/s`);
  const all = await call("DELETE", CALLED);

  expect(unknown.status).toBe(404);
  expect(one).toMatchObject({ status: 200, body: { items: [{ name: "t" }], total: 1 } });
  expect(all).toMatchObject({ status: 200, body: { items: [], total: 0 } });
  expect(account.state.scenarios).toEqual([]);
});

test("starts no scenario that would give the account more rules than max_rules", async () => {
  const { call, account } = testControl({ maxRules: 3 });
  await call("POST", CALLED, written("two", 2));
  await call("POST", CALLED, written("none", 0));

  const refused = await call("POST", CALLED, written("one", 1));
  const replaced = await call("PUT", `${CALLED}/none`, written("none", 2));
  const restarted = await call("POST", CALLED, written("two", 2));

  expect(refused).toMatchObject({
    status: 409,
    body: {
      problem: "the account's scenarios would have 4 rules, more than max_rules (3)",
      repair: "end some scenarios first: kredo scenario stop NAME",
    },
  });
  expect({ replaced: replaced.status, restarted: restarted.status }).toEqual({ replaced: 409, restarted: 201 });
  expect(account.state.scenarios.map(({ scenario }) => scenario.name)).toEqual(["two", "none"]);
});

function written(name: string, rules: number): object {
  return {
    version: 1,
    name,
    rules: Array.from({ length: rules }, (_, index) => ({ name: `rule ${index}`, then: {} })),
  };
}

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

  expect(begun.name).toBe("s");
  expect(status).toBe(403);
  expect(switched?.rules).toMatchObject([{ is: "off" }]);
  expect(await sandbox.scenarios()).toEqual([]);
});

test("refuses a scenario of more than 256 KB before reading it", async () => {
  const { call } = testControl();

  const { status, body } = await call("POST", CALLED, `${YAML}# ${"x".repeat(262_144)}`, AS_YAML);

  expect(status).toBe(413);
  expect(JSON.stringify(body)).toContain("the body is larger than 262144 bytes");
});

const SETUP = `version: 1
name: poor
setup:
  wallet: { balance: "5.00" }
  callbacks: { airtime: "kredo:sink" }
  rate_limit: { requests: 3, per: 1s }
  sender_ids: [POOR]
`;

const CHANGES = [
  { setting: "wallet.balance", from: "10,000.00", to: "5.00" },
  { setting: "callbacks.airtime", from: null, to: "kredo:sink" },
  { setting: "rate_limit", from: null, to: "3 per 1s" },
  { setting: "sender_ids", from: "SANDBOX, 20254", to: "POOR" },
];

test("says what beginning a scenario would change, and changes nothing", async () => {
  const { call } = testControl();

  const asked = await call("POST", `${CALLED}?dry_run=true`, SETUP, AS_YAML);

  expect(asked).toMatchObject({ status: 200, body: { changes: CHANGES } });
  expect((await call("GET", CALLED)).body.total).toBe(0);
});

const limited = (name: string, requests: number): string =>
  `version: 1\nname: ${name}\nsetup: { rate_limit: { requests: ${requests} } }`;

test("says what beginning a scenario again would change beside one that began at the same moment", async () => {
  const { call } = testControl();
  await call("POST", CALLED, limited("a", 5), AS_YAML);
  await call("POST", CALLED, limited("b", 7), AS_YAML);

  const asked = await call("POST", `${CALLED}?dry_run=true`, limited("a", 9), AS_YAML);
  await call("POST", CALLED, limited("a", 9), AS_YAML);

  expect(asked.body.changes).toEqual([{ setting: "rate_limit", from: "7 per 1s", to: "9 per 1s" }]);
  expect((await call("GET", "/accounts/default")).body.rate_limit).toEqual({ requests: 9, per: "1s" });
});

test("says what a step at the beginning would change, too", async () => {
  const { call } = testControl();
  const text = "version: 1\nname: s\ntimeline: [{ at: 0s, do: { rate_limit: { requests: 1, per: 1m } } }]";

  const asked = await call("POST", `${CALLED}?dry_run=true`, text, AS_YAML);

  expect(asked.body.changes).toEqual([{ setting: "rate_limit", from: null, to: "1 per 1m" }]);
  expect((await call("GET", "/accounts/default")).body.rate_limit).toBeNull();
});

test("says what is wrong with a scenario, without beginning it", async () => {
  const { call } = testControl();
  const text =
    "version: 1\nname: s\nrules: [{ name: large, when: { amount: { gt: 150 } }, then: { refuse: 429 } }, { name: none, when: { operation: sms }, then: { refuse: 429 } }]";

  const right = await call("POST", `${CALLED}?dry_run=true`, text, AS_YAML);
  const wrong = await call("POST", `${CALLED}?dry_run=true`, text.replace("refuse", "refues"), AS_YAML);

  expect(right.body).toEqual({ problems: [], changes: [] });
  expect(wrong).toMatchObject({
    status: 200,
    body: { problems: [{ line: 3, repair: expect.stringContaining("refuse") }], changes: [] },
  });
  expect((await call("GET", CALLED)).body.total).toBe(0);
});

test("ending a scenario takes back what its setup had replaced, apart from the wallet", async () => {
  const { call, account } = testControl();
  const { settings, senderIds } = account.state;
  await call("POST", CALLED, SETUP, AS_YAML);
  await call("POST", CALLED, SETUP, AS_YAML);

  const listed = await call("GET", CALLED);
  await call("DELETE", `${CALLED}/poor`);

  const restored = CHANGES.filter(({ setting }) => setting !== "wallet.balance");
  expect(listed.body.items[0].restores).toEqual(
    restored.map(({ setting, from, to }) => ({ setting, from: to, to: from })),
  );
  expect(account.state).toMatchObject({ senderIds, scenarios: [], wallet: { balance: 500 } });
  expect(account.state.settings).toEqual(settings);
});

test.each([
  ["rate_limit", "setup: { rate_limit: { requests: 3, per: 1s } }", null, "3 per 1s"],
  ["callbacks.sms", 'setup: { callbacks: { sms: "kredo:sink" } }', null, "kredo:sink"],
  [
    "sender_ids",
    "setup: { sender_ids: [SANDBOX, { sender_id: '20254', carriers: [airtel] }] }",
    ...ids("20254 (airtel)"),
  ],
  ["sender_ids", "timeline: [{ at: 0s, do: { sender_id: { '20254': revoked } } }]", ...ids()],
  [
    "numbers.ported",
    "setup: { numbers: { ported: { '254722000111': airtel, '254733000111': telkom } } }",
    null,
    "254722000111: airtel, 254733000111: telkom",
  ],
  ["credentials", "timeline: [{ at: 0s, do: { credentials: revoked } }]", "valid", "revoked"],
  ["credentials", "timeline: [{ at: 0s, do: { credentials: { secret: new-secret } } }]", "valid", "rotated"],
  ["carrier.airtel", "timeline: [{ at: 0s, do: { carrier: { airtel: down, telkom: up } } }]", "up", "down"],
])(
  "says before the start of a scenario that %s changes, and then that its end restores it: %s",
  async (setting, rest, from, to) => {
    const { call } = testControl();
    const text = `version: 1\nname: s\n${rest}`;

    const asked = await call("POST", `${CALLED}?dry_run=true`, text, AS_YAML);
    const started = await call("POST", CALLED, text, AS_YAML);

    expect(asked.body.changes).toEqual([{ setting, from, to }]);
    expect(started.body.restores).toEqual([{ setting, from: to, to: from }]);
  },
);

test("where two scenarios take a carrier down, ending one restores nothing, and ending all brings it up", async () => {
  const { call } = testControl();
  await call("POST", CALLED, down("a"), AS_YAML);
  await call("POST", CALLED, down("b"), AS_YAML);

  const { body } = await call("GET", CALLED);

  expect(body.items).toMatchObject([{ restores: [] }, { restores: [] }]);
  expect(body.restores).toEqual([{ setting: "carrier.airtel", from: "down", to: "up" }]);
});

function down(name: string): string {
  return `version: 1\nname: ${name}\ntimeline: [{ at: 0s, do: { carrier: { airtel: down } } }]`;
}

/** The account's sender IDs, and what becomes of the second one. */
function ids(second?: string): [from: string, to: string] {
  return ["SANDBOX, 20254", ["SANDBOX", second ?? []].flat().join(", ")];
}

test("ending a scenario leaves the callback URL that somebody has registered since it started", async () => {
  const { call, account } = testControl();
  await call("POST", CALLED, SETUP, AS_YAML);
  const { body } = await call("PUT", "/accounts/default/callbacks", { airtime: "http://127.0.0.1:9/mine" });

  await call("DELETE", `${CALLED}/poor`);

  expect({ during: body.airtime, then: settingsInForce(account.state).callbacks.urls.airtime?.url }).toEqual({
    during: "http://127.0.0.1:9/mine",
    then: "http://127.0.0.1:9/mine",
  });
});

const LATE = YAML.replace("name: no, then: { refuse: 403 }", "name: late, then: { ack: { delay: 1s } }");

test("replaces a scenario while it runs: its time, its counters and the wallet stay", async () => {
  const { call, account } = testControl();
  await call("POST", CALLED, `${YAML}setup: { wallet: { balance: "500.00" } }\n`, AS_YAML);
  await call("PUT", "/accounts/default/wallet", { balance: "70.00" });
  await call("POST", "/accounts/default/clock/advance", { by: "2s" });
  const before = (await call("GET", CALLED)).body.items[0];

  const replaced = await call("PUT", `${CALLED}/s`, LATE, AS_YAML);

  expect(replaced.body).toMatchObject({ name: "s", since: before.since, rules: [{ name: "late" }] });
  expect((await call("GET", `${CALLED}/s`)).body.text).toContain("delay: 1s");
  expect(account.state.wallet.balance).toBe(7_000);
});

test("a replacement that is wrong, or takes another one's name, or of what does not run, changes nothing", async () => {
  const { call, account } = testControl();
  await call("POST", CALLED, YAML, AS_YAML);
  await call("POST", CALLED, { name: "callback-never" });
  const { scenarios } = account.state;

  const wrong = await call("PUT", `${CALLED}/s`, YAML.replace("refuse", "refues"), AS_YAML);
  const taken = await call("PUT", `${CALLED}/s`, YAML.replace("name: s", "name: callback-never"), AS_YAML);
  const unknown = await call("PUT", `${CALLED}/t`, YAML, AS_YAML);

  expect(wrong.body.problems).toMatchObject([{ line: 4, column: 25, path: expect.stringContaining("refues") }]);
  expect({ wrong: wrong.status, taken: taken.status, unknown: unknown.status }).toEqual({
    wrong: 422,
    taken: 409,
    unknown: 404,
  });
  expect(account.state.scenarios).toBe(scenarios);
});
