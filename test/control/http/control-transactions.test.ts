import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";
import { buyAirtime, callbacksTo, sendSms } from "../../support/gateway/world.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";

const RECEIVER = "http://localhost:3000/hooks?token=s3cret";

test("shows a transaction from acceptance to its acknowledged callback", async () => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", `/accounts/default/transactions/${requestId}`);

  expect(body).toMatchObject({
    request_id: requestId,
    operation: "airtime",
    state: "succeeded",
    phone_number: "254712345678",
    carrier: "safaricom",
    amount: 100,
    hold: 95,
    charge: 95,
    account_balance: 9_905,
    accepted_at: "2025-01-06T06:00:00.000Z",
    settles_at: "2025-01-06T06:00:01.000Z",
    settled_at: "2025-01-06T06:00:01.000Z",
    result_code: 200,
    known: "delivered",
    got: { phone_number: "254712345678", amount: 100 },
    paid: 95,
    callback: { state: "delivered" },
    plan: { result_code: 200 },
    attempts: [{ attempt: 1, answered: 200, acknowledged: true, url: RECEIVER, millis: 5 }],
  });
  expect(body.timeline.map(({ event }: { event: string }) => event)).toEqual(["accepted", "settled", "attempted"]);
  expect(body.timeline[1].text).toMatch(/ \(Airtime top-up of KES 100\.00 to \S+ was successful\)\.$/);
  expect(body.ledger.map(({ kind }: { kind: string }) => kind)).toEqual(["hold", "release", "charge"]);
  expect(JSON.parse(body.attempts[0].body)).toMatchObject({
    request_id: requestId,
    charge: 95,
    account_balance: 9_905,
  });
  expect(body.attempts[0].explanation).not.toContain("s3cret");
});

test("says why a callback was not acknowledged, and that a queued one is pending", async () => {
  const { call, account } = testControl({
    account: { callbacks: callbacksTo(RECEIVER) },
    answer: () => ({ kind: "timed_out" }),
  });
  const failed = sendSms(account, "Moja");
  await account.advance({ by: 1_000 }, 1_000);
  sendSms(account, "Mbili");

  const { body } = await call("GET", "/accounts/default/transactions");

  expect(body.items.map(({ callback }: { callback: { state: string } }) => callback.state)).toEqual([
    "pending",
    "undelivered",
  ]);
  expect(body.items[1]).toMatchObject({
    request_id: failed.requestId,
    message: "Moja",
    encoding: "GSM-7",
    characters: 4,
    units: 4,
    parts: 1,
  });
  expect(body.items[1].callback.explanation).toContain("did not answer within 3 s");
});

test.each([
  ["callback: { drop: true }", "accepted"],
  ["callback: { times: 2, contradict: true }", "delivered, then failed"],
  ["callback: { malformed: true }", "unreadable: not JSON"],
  ["callback: { unknown_id: true }", "unknown id"],
  ["callback: { wrong_content_type: true }", "unreadable: wrong type: text/plain"],
  ["connection: reset_after_accept", "delivered, under an id it never got"],
  ["connection: reset_after_accept, callback: { drop: true }", "nothing"],
])("says what a backend can know after %s", async (effect, known) => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  await script(account, rule(`then: { ${effect} }`));
  buyAirtime(account, 100);
  await account.advance({ by: 60_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/transactions");

  expect(body.items).toMatchObject([{ known, got: { amount: 100 }, paid: 95 }]);
});

test("says that a customer has got nothing, or only some parts", async () => {
  const { call, account } = testControl();
  await script(account, rule("when: { operation: sms }, then: { result: { lost_parts: [2] } }"));
  sendSms(account, "x".repeat(300));
  await account.advance({ by: 60_000 }, 1_000);
  buyAirtime(account, 100);

  const { body } = await call("GET", "/accounts/default/transactions");

  expect(body.items).toMatchObject([
    { got: null, paid: 0, known: "accepted" },
    { got: { message: "x".repeat(300), parts: [1] } },
  ]);
});

test("says that no callback URL is registered", async () => {
  const { call, account } = testControl();
  sendSms(account, "Habari");
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/transactions");

  expect(body.items[0].callback).toEqual({
    state: "none",
    explanation: "Not sent: no callback URL registered for sms.",
  });
});

test.each([
  ["", 3],
  ["?operation=sms", 1],
  ["?phone_number=25473*", 1],
  ["?state=queued", 2],
  ["?state=succeeded", 1],
  ["?since=2025-01-06T06:00:01Z", 2],
  ["?since=2025-01-06T09:00:02%2B03:00", 0],
])("filters transactions by %s", async (query, total) => {
  const { call, account } = testControl();
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  buyAirtime(account, 200, "254733345678");
  sendSms(account, "Habari");

  expect((await call("GET", `/accounts/default/transactions${query}`)).body.total).toBe(total);
});

test("settles one now, as it is told to", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);

  const answer = await call("POST", `/accounts/default/transactions/${requestId}/settle`, {
    result_code: 404,
    result_desc: "No such number",
  });

  expect(answer.body).toMatchObject({
    state: "failed",
    charge: 0,
    result_code: 404,
    result_desc: "No such number",
    account_balance: 10_000,
  });
  expect(sent).toHaveLength(1);
});

test("settles one as planned where nothing is said, and only once", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);

  const [first, second] = [
    await call("POST", `/accounts/default/transactions/${requestId}/settle`),
    await call("POST", `/accounts/default/transactions/${requestId}/settle`),
  ];

  expect(first.body).toMatchObject({ state: "succeeded", charge: 95 });
  expect(second).toMatchObject({ status: 409, body: { problem: expect.stringContaining("already") } });
});

test("sends the same bytes again", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const answer = await call("POST", "/accounts/default/callbacks/resend", { request_ids: [requestId] });
  await account.advance({ by: 1 }, 1_000);

  expect(answer.status).toBe(204);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.body).toBe(sent[0]?.body);
});

test("resends a single callback with another body and other headers, and the next one as it was", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  const edited = { body: '{"result_code":500}', headers: { "X-Try": "2" } };

  const answer = await call("POST", "/accounts/default/callbacks/resend", { request_ids: [requestId], ...edited });
  await call("POST", "/accounts/default/callbacks/resend", { request_ids: [requestId] });
  await account.advance({ by: 1 }, 1_000);

  expect(answer.status).toBe(204);
  expect(sent.slice(1)).toMatchObject([
    { body: edited.body, headers: { "content-type": "application/json", "x-try": "2" } },
    { body: sent[0]?.body, headers: { "content-type": "application/json" } },
  ]);
  expect(sent[2]?.headers).not.toHaveProperty("x-try");
});

test("refuses to edit several callbacks at once", async () => {
  const { call } = testControl();

  const answer = await call("POST", "/accounts/default/callbacks/resend", { request_ids: ["one", "two"], body: "{}" });

  expect(answer).toMatchObject({ status: 422, body: { problem: expect.stringContaining("edits several callbacks") } });
});

test("resends several or none: one that is not settled yet changes nothing", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo(RECEIVER) } });
  const settled = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  const queued = buyAirtime(account, 200);

  const answer = await call("POST", "/accounts/default/callbacks/resend", {
    request_ids: [settled.requestId, queued.requestId],
  });
  await account.advance({ by: 1 }, 1_000);

  expect(answer).toMatchObject({ status: 409, body: { problem: expect.stringContaining("is still queued") } });
  expect(sent).toHaveLength(1);
});

test("reads a moment with a plus in it as people write it into a URL", async () => {
  const { call, account } = testControl();
  const { requestId } = buyAirtime(account, 100);

  const since = await call("GET", "/accounts/default/transactions?since=2025-01-06T09:00:00+03:00");
  const later = await call("GET", "/accounts/default/transactions?since=2025-01-06T09:00:00.001%2B03:00");
  const messages = await call("GET", "/accounts/default/messages?after=2025-01-06T09:00:00+03:00");

  expect(since.body.items).toMatchObject([{ request_id: requestId }]);
  expect(later.body.items).toEqual([]);
  expect(messages.status).toBe(200);
});

test("answers 404 for a transaction that nobody knows", async () => {
  const { call } = testControl();

  expect((await call("POST", "/accounts/default/callbacks/resend", { request_ids: ["nobody"] })).status).toBe(404);
});

test("hands out an SMS that is there, newest first", async () => {
  const { call, account } = testControl();
  sendSms(account, "Moja");
  await account.advance({ by: 1_000 }, 1_000);
  const second = sendSms(account, "Mbili");
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/messages?phone_number=254712345678");

  expect(body.items.map(({ message }: { message: string }) => message)).toEqual(["Mbili", "Moja"]);
  expect(body.items[0]).toEqual({
    request_id: second.requestId,
    phone_number: "254712345678",
    sender_id: "SANDBOX",
    message: "Mbili",
    carrier: "safaricom",
    parts: 1,
    delivered_at: "2025-01-06T06:00:02.000Z",
  });
});

test("hands out no SMS that has not arrived, was rejected, or went to another number", async () => {
  const { call, account } = testControl({
    account: { sender_ids: [{ sender_id: "SANDBOX", carriers: ["safaricom"] }] },
  });
  sendSms(account, "rejected", "254733345678");
  sendSms(account, "elsewhere", "254722345678");
  await account.advance({ by: 1_000 }, 1_000);
  sendSms(account, "on its way");

  const [there, here] = [
    await call("GET", "/accounts/default/messages"),
    await call("GET", "/accounts/default/messages?phone_number=254712345678"),
  ];

  expect(there.body.items.map(({ message }: { message: string }) => message)).toEqual(["elsewhere"]);
  expect(here.body.items).toEqual([]);
});

test("waits for the next SMS after one that was read", async () => {
  const { call, account } = testControl();
  const first = sendSms(account, "Moja");
  await account.advance({ by: 1_000 }, 1_000);

  const waiting = call("GET", `/accounts/default/messages?after=${first.requestId}&wait=10s`);
  await allReady();
  sendSms(account, "Mbili");
  await account.advance({ by: 1_000 }, 1_000);

  expect((await waiting).body.items).toMatchObject([{ message: "Mbili" }]);
});

test("answers an empty list when the wait for an SMS is over", async () => {
  const { call, wall } = testControl();

  const waiting = call("GET", "/accounts/default/messages?wait=10s");
  await allReady();
  wall.advance(10_000);

  expect((await waiting).body).toEqual({ items: [], total: 0, evicted: 0, next: null });
});
