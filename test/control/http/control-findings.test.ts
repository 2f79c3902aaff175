import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Watcher } from "../../../src/verdict/checks/check.ts";
import type { Severity } from "../../../src/verdict/severities.ts";
import { listen, type TestControl, testControl } from "../../support/control.ts";
import { buyAirtime, refuseRequest } from "../../support/gateway/world.ts";

test("lists findings, with what proves them and where to read about them", async () => {
  const { call, account } = watched(detector("lenient-format", "hint"));
  const { requestId } = buyAirtime(account, 100);

  const { status, body } = await call("GET", "/accounts/default/findings");

  expect(status).toBe(200);
  expect(body).toEqual({
    items: [
      {
        id: "lenient-format",
        subject: "254712345678",
        severity: "hint",
        title: "Title",
        seen: "An order for 254712345678.",
        why: "Why.",
        repair: "Repair.",
        assumes: "Nothing.",
        count: 1,
        first_at: "2025-01-06T06:00:00.000Z",
        last_at: "2025-01-06T06:00:00.000Z",
        exchanges: [
          {
            kind: "request",
            request_id: requestId,
            transaction: `/__admin/accounts/sandbox-key/transactions/${requestId}`,
          },
          { kind: "callback", request_id: "elsewhere", transaction: null, attempt: 1 },
        ],
      },
    ],
    total: 1,
    next: null,
    watched: ["lenient-format"],
  });
});

test("lists defects first, and only what is asked for", async () => {
  const { call, account } = watched(
    detector("lenient-format", "hint"),
    detector("sold-twice", "defect"),
    detector("slow-receiver", "cost"),
  );
  buyAirtime(account, 100);

  const ids = await Promise.all(
    ["", "?severity=cost", "?id=sold-twice", "?severity=cost&id=sold-twice"].map((query) => listed(call, query)),
  );

  expect(ids).toEqual([["sold-twice", "slow-receiver", "lenient-format"], ["slow-receiver"], ["sold-twice"], []]);
});

test("refuses a severity and a check that do not exist", async () => {
  const { call } = watched();

  const answers = await Promise.all(
    ["severity=defekt", "id=sold-twise"].map((query) => call("GET", `/accounts/default/findings?${query}`)),
  );

  expect(answers.map(({ status, body }) => [status, body.repair])).toEqual([
    [422, 'did you mean "defect"?'],
    [422, 'did you mean "sold-twice"?'],
  ]);
});

test("a reset leaves none, and an import brings those of its journal", async () => {
  const { call, account } = watched(detector("lenient-format", "hint"));
  buyAirtime(account, 100);
  const { body } = await call("GET", "/accounts/default/export");

  await call("POST", "/accounts/default/reset");
  const left = await listed(call, "");
  await call("PUT", "/accounts/default/import", body);

  expect(left).toEqual([]);
  expect(await listed(call, "")).toEqual(["lenient-format"]);
});

test("keeps findings about events that were evicted", async () => {
  const { call, account } = watched(detector("lenient-format", "hint"));
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  Array.from({ length: 300 }, () => refuseRequest(account, 422));

  const { body } = await call("GET", "/accounts/default/findings");
  expect(account.journal.evicted).toBeGreaterThan(0);
  expect(body.items).toEqual([
    expect.objectContaining({
      count: 1,
      exchanges: expect.arrayContaining([expect.objectContaining({ transaction: null })]),
    }),
  ]);
});

test("lists the findings about requests that belong to no account", async () => {
  const { call, world } = watched(detector("lenient-format", "hint"));
  buyAirtime(world.sandbox, 0);

  const { body } = await call("GET", "/findings");

  expect(body.items).toEqual([expect.objectContaining({ id: "lenient-format" })]);
  expect(await listed(call, "")).toEqual([]);
});

test("a check that throws is reported and switched off, and the account goes on", async () => {
  const broken = { ...detector("slow-receiver", "cost"), watch: () => (event: AccountEvent) => fail(event) };
  const { call, account, faults } = watched(broken, detector("lenient-format", "hint"));

  buyAirtime(account, 100);
  buyAirtime(account, 200);

  const { body } = await call("GET", "/accounts/default/findings");
  expect(account.state.requests).toBe(2);
  expect(body).toMatchObject({ items: [{ id: "lenient-format", count: 2 }], watched: ["lenient-format"] });
  expect([...new Set(faults.map(String))]).toEqual(["Error: the checks slow-receiver failed and are switched off"]);
});

test("streams a finding just before the event that showed it first, without an id of its own", async () => {
  const { fetch, account } = watched(detector("lenient-format", "hint"));
  const reader = await listen(fetch);

  buyAirtime(account, 100);
  buyAirtime(account, 100);

  const frames = await reader.next();
  expect(frames.match(/^(?:id|event): .*$/gm)).toEqual([
    "event: finding",
    "id: 2",
    "event: accepted",
    "id: 3",
    "event: accepted",
  ]);
});

test("streams only the findings of later events to a client that resumes", async () => {
  const { fetch, account } = watched(detector("lenient-format", "hint"));
  buyAirtime(account, 100, "254712345678");
  buyAirtime(account, 100, "254722345678");

  const reader = await listen(fetch, { "last-event-id": "2" });

  const frames = await reader.next();
  expect(frames.match(/^(?:id|event): .*$/gm)).toEqual(["event: finding", "id: 3", "event: accepted"]);
  expect(frames).toContain('"subject":"254722345678"');
});

test("streams findings of events that were evicted before the snapshot that stands for them", async () => {
  const { fetch, account } = watched(detector("lenient-format", "hint"));
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  Array.from({ length: 300 }, () => refuseRequest(account, 422));

  const reader = await listen(fetch, {}, "/accounts/default/events?after=0");

  const frames = await reader.next();
  expect(frames.match(/^event: .*$/gm)?.slice(0, 3)).toEqual(["event: finding", "event: snapshot", "event: refused"]);
});

function watched(...watchers: readonly Watcher[]): TestControl {
  return testControl({ watching: { watchers }, bounds: { max_transactions: 5 } });
}

/** Sees each accepted order. */
function detector(id: string, severity: Severity): Watcher {
  return {
    checks: [{ id, severity, title: "Title", why: "Why.", repair: "Repair.", assumes: "Nothing." }],
    kinds: ["accepted"],
    watch: () => (event) => {
      if (event.kind !== "accepted") return [];
      const { requestId, order } = event;
      const exchanges = [
        { kind: "request", requestId },
        { kind: "callback", requestId: "elsewhere", attempt: 1 },
      ] as const;
      return [{ id, subject: order.phoneNumber, seen: `An order for ${order.phoneNumber}.`, exchanges }];
    },
  };
}

function fail({ kind }: AccountEvent): never {
  throw new Error(`a bug at ${kind}`);
}

async function listed(call: TestControl["call"], query: string): Promise<string[]> {
  const { body } = await call("GET", `/accounts/default/findings${query}`);
  return body.items.map(({ id }: { id: string }) => id);
}
