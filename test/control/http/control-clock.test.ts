import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { NotTheOwner, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { testControl } from "../../support/control.ts";
import { script } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, WALL_START } from "../../support/gateway/world.ts";

test("advances a manual clock and reports what fired, with each receiver's answer", async () => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo("http://localhost:3000/") } });
  const first = buyAirtime(account, 100);
  const second = buyAirtime(account, 200);

  const { status, body } = await call("POST", "/accounts/default/clock/advance", { by: "10m" });

  expect(status).toBe(200);
  expect(body.now).toBe("2025-01-06T06:10:00.000Z");
  expect(
    body.fired.map(({ request_id: id, answered }: { request_id: string; answered: number }) => [id, answered]),
  ).toEqual([
    [first.requestId, 200],
    [second.requestId, 200],
  ]);
  expect(body.pending).toEqual({ total: 0, next: [] });
});

test("advances to the next thing that is due, and says what comes after it", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);

  const before = await call("GET", "/accounts/default/clock");
  const { body } = await call("POST", "/accounts/default/clock/advance", { to: "next" });

  expect(before.body).toEqual({
    mode: "manual",
    now: "2025-01-06T06:00:00.000Z",
    pending: { total: 1, next: [{ at: "2025-01-06T06:00:01.000Z", kind: "settle", request_id: requestId }] },
  });
  expect(body).toMatchObject({ now: "2025-01-06T06:00:01.000Z", fired: [] });
});

test.each(["1ms", "1s", "10s", "29s"])(
  "during a carrier's outage, %s in, names no moment that has passed as the next",
  async (by) => {
    const { call, account } = testControl();
    await script(
      account,
      "timeline: [{ at: 1ms, do: { carrier: { safaricom: down } } }, { at: 30s, do: { carrier: { safaricom: up } } }]",
    );
    const { requestId } = buyAirtime(account, 100);

    const { body: advanced } = await call("POST", "/accounts/default/clock/advance", { by });
    const { body: clock } = await call("GET", "/accounts/default/clock");
    const { body: transaction } = await call("GET", `/accounts/default/transactions/${requestId}`);
    const { body: ended } = await call("POST", "/accounts/default/clock/advance", { to: "next" });

    const pending = { total: 2, next: [{ at: "2025-01-06T06:00:30.000Z", kind: "step" }] };
    expect({ advanced: advanced.pending, clock: clock.pending }).toEqual({ advanced: pending, clock: pending });
    expect(transaction.callback.explanation).toMatch(/^It (?:settles at|has been due since) 2025-01-06T06:00:01/);
    expect(ended).toMatchObject({ now: "2025-01-06T06:00:30.000Z", pending: { total: 0, next: [] } });
  },
);

test.each([{}, { by: "1s", to: "next" }, { by: "soon" }, { to: "2025-01-06" }])(
  "refuses to advance by %j",
  async (body) => {
    const { call, account } = testControl();

    expect((await call("POST", "/accounts/default/clock/advance", body)).status).toBe(422);
    expect(account.journal.version).toBe(1);
  },
);

test("refuses to advance a real clock, and a manual one backwards", async () => {
  const { call } = testControl();

  const back = await call("POST", "/accounts/default/clock/advance", { to: "2024-01-01T00:00:00Z" });
  await call("PUT", "/accounts/default/clock", { mode: "real" });
  const real = await call("POST", "/accounts/default/clock/advance", { by: "1s" });

  expect({ back: back.status, real: real.status }).toEqual({ back: 422, real: 409 });
});

test("answers 408 with what fired when receivers take longer than the wall time that was given", async () => {
  const { call, account, wall } = testControl({
    account: { callbacks: callbacksTo("http://localhost:3000/") },
    answer: async ({ body }) => {
      wall.advance(body.includes('"charge":190') ? 20_000 : 100);
      await allReady();
      return { kind: "answered", status: 200, body: "" };
    },
  });
  const { requestId } = buyAirtime(account, 100);
  await call("POST", "/accounts/default/clock/advance", { by: "500ms" });
  buyAirtime(account, 200);

  const { status, body } = await call("POST", "/accounts/default/clock/advance", { by: "1h", within: "5s" });

  expect(status).toBe(408);
  expect(body).toMatchObject({
    status: 408,
    now: "2025-01-06T06:00:01.500Z",
    fired: [{ request_id: requestId }],
    pending: { total: 1 },
  });
});

test.each([
  ["like a change if it could not be made safe", new StoreOutage("cut off"), 503],
  ["at once if another replica has the account, which would do it again", new NotTheOwner("test-key"), 408],
])("an advance that ends half way is answered %s", async (_how, cut, expected) => {
  const cuts: Error[] = [];
  const { call, account, wall } = testControl({
    account: { callbacks: callbacksTo("http://localhost:3000/") },
    store: { ...memoryJournalStore(), secured: async () => cuts.forEach((one) => throwIt(one)) },
    answer: () => {
      cuts.push(cut);
      wall.advance(31_000);
      return { kind: "answered", status: 200, body: "" };
    },
  });
  buyAirtime(account, 100);
  await call("POST", "/accounts/default/clock/advance", { by: "500ms" });
  buyAirtime(account, 200);

  const { status } = await call("POST", "/accounts/default/clock/advance", { by: "1h" });

  expect(status).toBe(expected);
});

test("sets a manual clock forward by way of all that falls due", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo("http://localhost:3000/") } });
  buyAirtime(account, 100);

  const { body } = await call("PUT", "/accounts/default/clock", { mode: "manual", now: "2025-01-06T10:00:00+03:00" });

  expect(body).toMatchObject({ mode: "manual", now: "2025-01-06T07:00:00.000Z", pending: { total: 0 } });
  expect(sent).toHaveLength(1);
});

test("leaves a manual clock where it stopped if setting it forward takes too long", async () => {
  const { call, account, wall } = testControl({
    account: { callbacks: callbacksTo("http://localhost:3000/") },
    answer: () => {
      wall.advance(31_000);
      return { kind: "answered", status: 200, body: "" };
    },
  });
  buyAirtime(account, 100);
  await call("POST", "/accounts/default/clock/advance", { by: "500ms" });
  buyAirtime(account, 200);

  const { status } = await call("PUT", "/accounts/default/clock", { mode: "manual", now: "2025-01-07T00:00:00Z" });

  expect(status).toBe(408);
  expect(account.now()).toBe(WALL_START + 1_000);
  expect(account.pending()).toHaveLength(1);
});

test("switches to a scaled clock", async () => {
  const { call, wall } = testControl();

  await call("PUT", "/accounts/default/clock", { mode: "scaled", scale: 60 });
  wall.advance(1_000);

  expect((await call("GET", "/accounts/default/clock")).body).toMatchObject({
    mode: "scaled",
    scale: 60,
    now: "2025-01-06T06:01:00.000Z",
  });
});

test("drains until everything is settled, and on a manual clock says at once what is left", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);

  const left = await call("POST", "/accounts/default/drain", { within: "10s" });
  await account.advance({ by: 1_000 }, 1_000);
  const drained = await call("POST", "/accounts/default/drain");

  expect(left).toMatchObject({
    status: 408,
    body: { pending: { total: 1, next: [{ kind: "settle", request_id: requestId }] } },
  });
  expect(drained).toMatchObject({ status: 200, body: { drained: true } });
});

function throwIt(problem: Error): never {
  throw problem;
}
