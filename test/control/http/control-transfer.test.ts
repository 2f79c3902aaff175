import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { testControl } from "../../support/control.ts";
import { buyAirtime, callbacksTo, sendSms } from "../../support/gateway/world.ts";

const QUERIED = { kind: "queried", at: 1, requestId: "r", content: 1, available: 0 };

test("takes over how requests came, and clients that left", async () => {
  const { call, account } = testControl();
  const { body } = await call("GET", "/accounts/default/export");
  const traits = { wallAt: 5, isFirstOnConnection: true, exposed: ["token"], lenient: ["amount"] };
  const events = [
    ...body.events,
    { ...QUERIED, traits },
    { kind: "client-left", at: 2, requestId: "r", waited: 2_004 },
  ];

  const answer = await call("PUT", "/accounts/default/import", { ...body, events });

  expect(answer.status).toBe(200);
  expect(account.journal.read().events).toEqual(events);
});

test.each(["client-left", "client-waits"] as const)(
  "an export says of %s not how long the client waited",
  async (kind) => {
    const { call, account } = testControl();
    account.journal.append((_state, at) => [{ kind, at, requestId: "r", waited: 2_004 }]);

    const omitted = await call("GET", "/accounts/default/export");
    const kept = await call("GET", "/accounts/default/export?wall_time=keep");

    expect([omitted, kept].map(({ body }) => body.events.at(-1).waited)).toEqual([0, 2_004]);
  },
);

test("exports a whole account and imports it again: money, lists, and what is pending", async () => {
  const { call, account } = testControl({
    account: { callbacks: callbacksTo("kredo:sink") },
    control: { adminToken: "s3cret" },
  });
  const owner = { authorization: "Bearer s3cret" };
  const settled = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  sendSms(account, "Habari");
  const before = structuredClone(account.state);
  const exported = await call("GET", "/accounts/default/export", undefined, owner);
  account.reset();
  const version = account.journal.version;

  const imported = await call("PUT", "/accounts/default/import", exported.body, owner);

  expect(exported.body).toMatchObject({ kredo: "0.1.0", consumer_key: "sandbox-key", number: 1 });
  expect(imported.status).toBe(200);
  expect(imported.body.journal_version).toBe(version + exported.body.events.length);
  expect(account.state).toEqual(before);
  expect(account.pending()).toHaveLength(1);
  expect(
    (await call("GET", `/accounts/default/transactions/${settled.requestId}`, undefined, owner)).body.timeline,
  ).toHaveLength(3);
  expect((await call("GET", "/accounts/default/ledger", undefined, owner)).body.items).toHaveLength(5);
});

test("delivers what was pending in the account that imports it, and the imported journal still folds to its state", async () => {
  const { call, account, world } = testControl({ account: { callbacks: callbacksTo("kredo:sink") } });
  const { requestId } = buyAirtime(account, 100);
  const exported = await call("GET", "/accounts/default/export");
  await call("POST", "/accounts", { consumer_key: "other" });

  await call("PUT", "/accounts/other/import", exported.body);
  const advanced = await call("POST", "/accounts/other/clock/advance", { by: "1m" });

  const other = world.get("other");
  expect(advanced.body.fired).toMatchObject([{ request_id: requestId, acknowledged: true }]);
  expect(other.state.settings.consumer_key).toBe("other");
  expect(foldJournal(other.journal.read().events)).toEqual(other.state);
  expect(account.state.pending).toBe(1);
});

test("leaves the account that imports a journal its credentials, also after a reset", async () => {
  const { call, account } = testControl();
  const exported = await call("GET", "/accounts/default/export");
  const [opened] = exported.body.events;
  const settings = { ...opened.settings, consumer_key: "other", consumer_secret: "other-secret", any_secret: true };
  const before = { settings, scenarios: [] };

  await call("PUT", "/accounts/default/import", { ...exported.body, events: [{ ...opened, settings, before }] });
  const imported = account.state.settings;
  account.reset();

  const own = { consumer_key: "sandbox-key", consumer_secret: "sandbox-secret", any_secret: false };
  expect(imported).toMatchObject(own);
  expect(account.state.settings).toMatchObject(own);
});

test("imports a journal whose beginning was evicted, and goes on counting what is gone", async () => {
  const { call, account } = testControl({ bounds: { max_transactions: 5 } });
  await Array.from({ length: 270 }).reduce<Promise<unknown>>(async (before) => {
    await before;
    buyAirtime(account, 5);
    return account.advance({ by: 1_000 }, 1_000);
  }, Promise.resolve());
  buyAirtime(account, 70);
  const { evicted } = account.journal;
  const before = structuredClone(account.state);
  const exported = await call("GET", "/accounts/default/export");

  const imported = await call("PUT", "/accounts/default/import", exported.body);

  expect(exported.body.events[0].kind).toBe("snapshot");
  expect(imported.status).toBe(200);
  expect(account.journal.evicted).toBe(evicted);
  expect(account.state).toEqual(before);
});

test.each([
  ["no events", () => []],
  ["an unknown kind", ([opened]: unknown[]) => [opened, { kind: "robbed", at: 1 }]],
  ["no beginning", ([, ...rest]: unknown[]) => rest],
  ["money that does not add up", ([opened]: unknown[]) => [opened, { kind: "topped-up", at: 1, amount: 0.5 }]],
  ["traits of another shape", ([opened]: unknown[]) => [opened, { ...QUERIED, traits: { exposed: "token" } }]],
  [
    "a wait that is no time",
    ([opened]: unknown[]) => [opened, { kind: "client-left", at: 1, requestId: "r", waited: "long" }],
  ],
  ["a wallet that cannot pay what it holds", ([opened, accepted]: object[]) => [opened, { ...accepted, hold: 1e12 }]],
  ["text for events", () => "everything"],
])("refuses %s in one sentence and changes nothing", async (_what, damage) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  const exported = await call("GET", "/accounts/default/export");
  const version = account.journal.version;

  const answer = await call("PUT", "/accounts/default/import", {
    ...exported.body,
    events: damage(exported.body.events),
  });

  expect(answer.status).toBe(422);
  expect(answer.body.problem).toMatch(/^events/);
  expect(account.journal.version).toBe(version);
});

const TOPPED_UP = { kind: "topped-up", at: 1, amount: 100 };

test.each<[string, (first: Journalled, accepted: Journalled) => object[], string]>([
  ["a moment that no date can show", (first) => [first, { ...TOPPED_UP, at: 1e20 }], "events[1]"],
  ["a moment at the end of all dates", (first) => [first, { ...TOPPED_UP, at: 8.64e15 }], "events[1]"],
  ["a moment far beyond any clock", (first) => [first, { ...TOPPED_UP, at: 1e15 }], "events[1]"],
  ["a moment before 1970", (first) => [first, { ...TOPPED_UP, at: -1 }], "events[1]"],
  [
    "a clock that begins before 1970",
    (first) => [{ ...first, clock: { mode: "manual", from: -1 } }],
    "events[0] is not an event of a journal (clock.from",
  ],
  [
    "a clock that is too fast",
    (first) => [{ ...first, clock: { mode: "scaled", scale: 1e9, from: 1, wallFrom: 1 } }],
    "clock.scale",
  ],
  [
    "a result that is due in 285,000 years",
    (first, accepted) => [first, { ...accepted, plan: { ...accepted.plan, settleAfter: 9e15 } }],
    "plan.settleAfter",
  ],
  [
    "a result that is due before its order",
    (first, accepted) => [first, { ...accepted, plan: { ...accepted.plan, settleAfter: -1 } }],
    "plan.settleAfter",
  ],
  ["a top-up that takes money away", (first) => [first, { ...TOPPED_UP, amount: -1 }], "events[1]"],
  [
    "an order that brings money",
    (first, accepted) => [first, { ...accepted, order: { ...accepted.order, amount: -1 } }],
    "order.amount",
  ],
  ["the same order twice", (first, accepted) => [first, accepted, accepted], "events[2]: the order"],
  ["a second beginning", (first, accepted) => [first, accepted, first], "events[2]: a journal begins only once"],
  [
    "a request_id of two lines",
    (first, accepted) => [first, { ...accepted, requestId: "a\u001b[2J\r\n12:00:00 forged" }],
    "events[1] is not an event of a journal (requestId",
  ],
  [
    "a billion attempts",
    (first) => [withCallbacks(first, { retry: { attempts: 1e9, spacing: [0], on: [] } })],
    "attempts",
  ],
  [
    "no wait between attempts",
    (first) => [withCallbacks(first, { retry: { attempts: 2, spacing: [], on: [] } })],
    "spacing",
  ],
  ["a header that frames the callback", (first) => [withCallbacks(first, { headers: { Host: "x" } })], "headers.Host"],
  ["a header of two lines", (first) => [withCallbacks(first, { headers: { "x-a": "1\r\nx-b: 2" } })], "headers.x-a"],
  ["a receiver's limit of a century", (first) => [withCallbacks(first, { timeout: 3.2e12 })], "callbacks.timeout"],
  [
    "a callback URL that cannot be called",
    (first) => [withCallbacks(first, { urls: { sms: { url: "x", trusted: false } } })],
    "url",
  ],
])("refuses a journal with %s, with its place, and changes nothing", async (_what, change, place) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  const exported = await call("GET", "/accounts/default/export");
  const { events } = exported.body;
  const accepted = events.find(({ kind }: Journalled) => kind === "accepted");
  const version = account.journal.version;

  const answer = await call("PUT", "/accounts/default/import", {
    ...exported.body,
    events: change(events[0], accepted),
  });

  expect(answer).toMatchObject({ status: 422, body: { problem: expect.stringContaining(place) } });
  expect(account.journal.version).toBe(version);
});

interface Journalled {
  readonly kind: string;
  readonly plan: object;
  readonly order: object;
  readonly settings: { readonly callbacks: object };
}

function withCallbacks(first: Journalled, changes: object): Journalled {
  const { settings } = first;
  return { ...first, settings: { ...settings, callbacks: { ...settings.callbacks, ...changes } } };
}

test("says where in an event the mistake is", async () => {
  const { call } = testControl();
  const { body } = await call("GET", "/accounts/default/export");
  const [opened] = body.events;
  const events = [{ ...opened, settings: { ...opened.settings, organization: { name: 5, accounts: [] } } }];

  const answer = await call("PUT", "/accounts/default/import", { ...body, events });

  expect(answer.body.problem).toContain("settings.organization.name: Invalid input: expected string, received number");
});

test.each([
  ["numbers for texts", { rules: [{ name: "r", when: { phone_number: 5 }, then: {} }] }, "phone_number"],
  [
    "an effect of its own",
    { rules: [{ name: "r", then: { ack: { delay: 5 } } }] },
    "rules[0].then.ack.delay: 5 is not",
  ],
  ["a key of its own", { rules: [{ name: "r", when: { mood: "bad" }, then: {} }] }, "rules[0].when.mood is not a key"],
  ["no rule at all", { rules: [null] }, "rules[0] has no value"],
  ["too many rules", { rules: Array.from({ length: 501 }, () => ({})) }, "rules: 501 rules are too many"],
  ["a step of its own", { timeline: [{ at: "0s", do: { kind: "robbery" } }] }, "timeline[0].do.kind"],
])("refuses a journal with a scenario that has %s", async (_what, parts, named) => {
  const { call, account } = testControl();
  const exported = await call("GET", "/accounts/default/export");
  const scenario = { version: 1, name: "s", ...parts };
  const active = [{ scenario, since: 0, start: 0, off: [], overlay: {} }];
  const changed = { kind: "scenarios-changed", at: 0, active, begun: ["s"] };
  const version = account.journal.version;

  const answer = await call("PUT", "/accounts/default/import", {
    ...exported.body,
    events: [...exported.body.events, changed],
  });

  expect(answer.status).toBe(422);
  expect(answer.body.problem).toContain(named);
  expect(account.journal.version).toBe(version);
});

test("takes a journal with a shipped scenario in it", async () => {
  const { call, account } = testControl();
  await call("POST", "/accounts/default/scenarios", { name: "bad-afternoon" });
  const exported = await call("GET", "/accounts/default/export");

  const answer = await call("PUT", "/accounts/default/import", exported.body);

  expect(answer.status).toBe(200);
  expect(account.state.scenarios.map(({ scenario }) => scenario.name)).toContain("bad-afternoon");
});

test("takes over trust in no public callback URL but its owner's from whoever has no admin token", async () => {
  const copy = { url: "https://second.example/", trusted: true };
  const callbacks = callbacksTo("https://example.com/");
  const { call, account } = testControl({
    account: { callbacks: { ...callbacks, urls: { ...callbacks.urls, copy } } },
  });
  const exported = await call("GET", "/accounts/default/export");
  const [opened] = exported.body.events;
  const urls = { ...opened.settings.callbacks.urls, airtime: { url: "https://elsewhere.example/", trusted: true } };

  await call("PUT", "/accounts/default/import", { ...exported.body, events: [withCallbacks(opened, { urls })] });

  expect(account.state.settings.callbacks.urls).toEqual({
    airtime: { url: "https://elsewhere.example/", trusted: false },
    sms: { url: "https://example.com/", trusted: true },
    copy,
  });
});

test.each([
  ["keeps trust in a scenario that its owner has started", true, () => {}],
  ["takes over trust in no other scenario", false, endScenarios],
])("an import %s, and leaves a header of that name alone", async (_what, trusted, end) => {
  const { call, account } = testControl();
  const rules = [{ name: "r", then: { callback: { headers: { trusted: "true" } } } }];
  const setup = { callbacks: { sms: "https://example.com/" } };
  const scenario = { version: 1, name: "s", setup, rules } as const;
  beginScenarios(account, [{ scenario, trusted: true }]);
  const exported = await call("GET", "/accounts/default/export");
  end(account, "s");

  await call("PUT", "/accounts/default/import", exported.body);

  const overlay = { urls: { sms: { url: "https://example.com/", trusted } } };
  expect(account.state.scenarios).toMatchObject([{ scenario, trusted, overlay }]);
});

test.each([
  ["its owner's", "https://example.com/", true],
  ["a stranger's", "https://elsewhere.example/", false],
])("a reset in the midst of an imported rehearsal trusts %s callback URL as before", async (_whose, url, trusted) => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo("https://example.com/") } });
  const exported = await call("GET", "/accounts/default/export");
  const [opened] = exported.body.events;
  const before = {
    settings: { ...opened.settings, consumer_key: "another", callbacks: callbacksTo(url) },
    scenarios: [],
  };
  await call("PUT", "/accounts/default/import", { ...exported.body, events: [{ ...opened, rehearsal: "r", before }] });

  account.reset();

  expect(account.state.settings).toMatchObject({
    consumer_key: "sandbox-key",
    callbacks: { urls: { sms: { url, trusted } } },
  });
  expect(account.state.rehearsal).toBeUndefined();
});

test("continues a scaled clock where it stopped, however long ago that was", async () => {
  const { call, account, wall } = testControl({ account: { clock: { mode: "scaled", scale: 60 } } });
  await call("POST", "/accounts/default/wallet/top-ups", { amount: 1 });
  const exported = await call("GET", "/accounts/default/export");
  const stood = account.now();
  wall.advance(3_600_000);

  await call("PUT", "/accounts/default/import", exported.body);
  wall.advance(1_000);

  expect(account.now()).toBe(stood + 60_000);
});
