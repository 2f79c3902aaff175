import { once } from "node:events";
import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";
import { type JournalStore, NotTheOwner, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { AUTHORIZATION, basic } from "../../support/gateway/test-gateway.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";

const BODY = '{"phone_number":"254712345678","amount":"10"}';

test.each([
  ["an order", "/api/v2/airtime", BODY, 200],
  ["a refusal", "/api/v2/airtime", "{}", 422],
  ["a change by the control API", "/__admin/accounts/default/wallet/top-ups", '{"amount":"10"}', 200],
  ["a scenario that begins", "/__admin/accounts/default/scenarios", '{"name":"bad-afternoon"}', 201],
  ["an account that is opened", "/__admin/accounts", "{}", 201],
])("%s is not answered before it is safe", async (_name, path, body, status) => {
  const asked = gate();
  const safe = gate();
  await using sandbox = await startTestSandbox({}, { store: securedBy(() => (asked.open(), safe.opened)) });
  const answered: number[] = [];

  const answer = sandbox.running.fetch(request(path, body)).then((response) => answered.push(response.status));
  await asked.opened;
  await allReady();
  const early = [...answered];
  safe.open();
  await answer;

  expect(early).toEqual([]);
  expect(answered).toEqual([status]);
});

const cutOff = (): Promise<void> => Promise.reject(new StoreOutage("cut off"));

test("an event is not streamed before it is safe", async () => {
  const safe = gate();
  const waits: Promise<void>[] = [];
  await using sandbox = await startTestSandbox(
    {},
    { store: { ...memoryJournalStore(), secured: () => waits.at(-1) ?? Promise.resolve() } },
  );
  const { body } = await sandbox.running.fetch(new Request("http://localhost/__admin/accounts/default/events"));
  const reader = (body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const read: string[] = [];

  waits.push(safe.opened);
  topUp(sandbox.account, cents(100));
  const next = reader.read().then(({ value = "" }) => read.push(value));
  await allReady();
  const early = [...read];
  waits.length = 0;
  safe.open();
  await next;

  expect(early).toEqual([]);
  expect(read).toEqual([expect.stringContaining("event: topped-up")]);
});

test("an order that may still be carried out is never answered: its connection is reset", async () => {
  const outage = new StoreOutage("cut off");
  await using sandbox = await startTestSandbox({}, { store: securedBy(() => Promise.reject(outage)) });
  await using client = await sandbox.connect();

  await client.send(rawPost({ authorization: AUTHORIZATION }));

  expect(await client.readToEnd()).toBe("");
  expect(sandbox.account.state.transactions.size).toBe(1);
  expect(sandbox.account.journal.read().events.map(({ kind }) => kind)).not.toContain("client-left");
  expect(sandbox.faults).toEqual([outage]);
});

test.each([
  ["a top-up", "accounts/default/wallet/top-ups", '{"amount":"10"}', "accounts/default/ledger"],
  ["a scenario", "accounts/default/scenarios?place=first", '{"name":"bad-afternoon"}', "accounts/default/scenarios"],
  ["an advance", "accounts/default/clock/advance", '{"by":"1s"}', "accounts/default/clock"],
  ["a reset", "accounts/default/reset", "{}", "accounts/default"],
  ["a new account", "accounts", '{"consumer_key":"shop"}', "accounts"],
])(
  "a client that asks for %s, which may still happen, is told which call shows it",
  async (_name, path, body, shown) => {
    await using sandbox = await startTestSandbox({ clock: "manual" }, { store: securedBy(cutOff) });

    const response = await sandbox.running.fetch(request(`/__admin/${path}`, body));

    expect({ status: response.status, again: response.headers.get("retry-after") }).toEqual({
      status: 503,
      again: null,
    });
    expect(await response.json()).toMatchObject({
      problem: "cut off; the call may be carried out all the same",
      repair: `look whether it was: GET /__admin/${shown}; then ask for what is left`,
    });
  },
);

test("a refusal that could not be made safe is answered with 503, because nothing is carried out", async () => {
  await using sandbox = await startTestSandbox({}, { store: securedBy(cutOff) });

  const { status } = await sandbox.running.fetch(request("/api/v2/airtime", "{}"));

  expect(status).toBe(503);
});

test("an order that is safe is acknowledged, although its callback cannot be sent before", async () => {
  const memory = memoryJournalStore();
  let isGone = false;
  const store: JournalStore = {
    ...memory,
    append: (account, events) => {
      if (isGone) throw new NotTheOwner(account);
      memory.append(account, events);
    },
    secured: async () => void (isGone = true),
  };
  await using sandbox = await startTestSandbox({}, { store });
  await script(sandbox.account, rule("then: { callback: { before_ack: true } }"));
  isGone = false;

  const { status } = await sandbox.running.fetch(request("/api/v2/airtime", BODY));

  expect(status).toBe(200);
});

test("what could not be made safe is answered with 500, and the log says why", async () => {
  const full = new Error("disk full");
  await using sandbox = await startTestSandbox({}, { store: securedBy(() => Promise.reject(full)) });

  const { status } = await sandbox.running.fetch(request("/api/v2/airtime", BODY));

  expect(status).toBe(500);
  expect(sandbox.faults).toContain(full);
});

test.each([
  ["an order", rawPost({ authorization: AUTHORIZATION }), 200],
  ["an order of an account that is opened for it", rawPost({ authorization: basic("test-new", "any") }), 200],
  ["a refusal", rawPost({ authorization: AUTHORIZATION, body: "{}" }), 422],
  ["a question for the details", rawHead({ line: "GET /api/v2/account-details HTTP/1.1" }), 200],
])("%s is answered when it is safe, although its client has closed its end", async (_what, message, status) => {
  await using sandbox = await startTestSandbox({ auto_accounts: ["test-*"] }, { store: inTurns() });
  await using client = await sandbox.connect();

  client.socket.end(message);

  expect(await client.readToEnd()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { events } = sandbox.running.world.list().at(-1)?.journal.read() ?? {};
  expect(events?.map(({ kind }) => kind)).not.toContain("client-left");
});

/** Nothing is safe at once, and no account opened at once. */
function inTurns(): JournalStore {
  return { ...securedBy(() => turns(10)), isLasting: true, begin: () => turns(10).then(() => true) };
}

function securedBy(secured: () => Promise<void>): JournalStore {
  return { ...memoryJournalStore(), secured };
}

function gate(): { opened: Promise<void>; open: () => void } {
  const controller = new AbortController();
  return { opened: once(controller.signal, "abort").then(() => undefined), open: () => controller.abort() };
}

function request(path: string, body: string): Request {
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
  return new Request(`http://localhost${path}`, { method: "POST", headers, body });
}
