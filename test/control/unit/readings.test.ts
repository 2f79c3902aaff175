import { expect, test } from "vitest";
import { callbackState, explainCallback } from "../../../src/gateway/account/readings/callback-status.ts";
import { JournalIndex } from "../../../src/gateway/account/readings/journal-index.ts";
import { matchingRequests } from "../../../src/control/match-requests.ts";
import { readRequests } from "../../../src/gateway/account/readings/requests.ts";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import { settleTransaction } from "../../../src/gateway/account/decide/settle.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { findTransaction, resend } from "../../../src/gateway/engine/commands.ts";
import { buyAirtime, callbacksTo, refuseRequest, sendSms, testWorld } from "../../support/gateway/world.ts";

const RECEIVER = "http://localhost:3000/";

test("a reset leaves no request, message or ledger entry of before", async () => {
  const { account } = testWorld();
  sendSms(account, "before");
  await account.advance({ by: 1_000 }, 1_000);
  const { events } = account.journal.read();
  account.reset();
  const { events: after } = account.journal.read();

  const whole = { first: 1, events: [...events, ...after] };

  expect(readRequests(whole)).toEqual([]);
  const index = new JournalIndex();
  index.take(whole);
  expect(index.messages).toEqual([]);
});

test("a refusal keeps what was understood of the request", async () => {
  const { account } = testWorld();
  refuseRequest(account, 402);

  const [row] = readRequests(account.journal.read());

  expect(row).toMatchObject({ number: 2, statusCode: 402, operation: "airtime", body: "{}" });
});

test.each([
  ['{"phone_number":"0712345678","amount":"lots"}', "0712345678"],
  ['{"amount":5,"phone_number": 254712345678', "254712345678"],
  [String.raw`{"message":"say \"phone_number\":\"254733456789\""`, undefined],
  ["", undefined],
])("reads the number of an invalid request from %s", (body, phoneNumber) => {
  const refused = {
    kind: "refused",
    at: 0,
    requestId: "1",
    method: "POST",
    path: "/",
    content: 1,
    code: 422,
    description: "",
    body,
  } as const;

  const [row] = readRequests({ first: 1, events: [refused] });

  expect(row?.phoneNumber).toBe(phoneNumber);
});

test.each([
  ["sender_id", { sender_id: "SANDBOX" }],
  ["message", { message: "Karibu" }],
])("a request without an order, and one for airtime, meet no %s", (_key, match) => {
  const { account } = testWorld();
  refuseRequest(account, 422);
  buyAirtime(account, 100);
  const { requestId } = sendSms(account, "Karibu, Asha");

  const rows = matchingRequests(readRequests(account.journal.read()), match);

  expect(rows.map((row) => row.requestId)).toEqual([requestId]);
});

test("a timeline shows resends among the attempts, and is complete even if the journal has lost its beginning", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  resend(account, [requestId]);
  await account.advance({ by: 1 }, 1_000);
  const transaction = findTransaction(account, requestId);
  const { events } = account.journal.read();

  const whole = readTimeline(transaction, events, { limit: 3_000 });
  const cut = readTimeline(transaction, events.slice(4), { limit: 3_000 });

  expect(whole.map(({ event }) => event)).toEqual([
    "accepted",
    "settled",
    "attempted",
    "resend-requested",
    "attempted",
  ]);
  expect(cut).toEqual(whole);
});

test("a callback that was acknowledged once stays delivered when a later sending fails", async () => {
  const answers = [200, 500];
  const { account } = testWorld({
    account: { callbacks: callbacksTo(RECEIVER) },
    answer: () => ({ kind: "answered", status: answers.shift() ?? 0, body: "" }),
  });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  resend(account, [requestId]);
  await account.advance({ by: 1 }, 1_000);

  const status = statusOf(account, requestId);

  expect(status).toEqual({ state: "delivered", explanation: "http://localhost:3000/ answered 200: delivered." });
});

test("a callback that is tried again says when and how often it was tried", async () => {
  const retry = { attempts: 3, spacing: [10_000], on: ["refused"] } as const;
  const { account } = testWorld({
    account: { callbacks: callbacksTo(RECEIVER, { retry }) },
    answer: () => ({ kind: "refused" }),
  });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const status = statusOf(account, requestId);

  expect(status).toEqual({ state: "pending", explanation: "Due at 2025-01-06T06:00:11.000Z; tried once so far." });
});

test("a callback that is due is on its way", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  account.journal.append((state, at) => [settleTransaction(state, requestId, at)]);

  const status = statusOf(account, requestId);

  expect(status).toEqual({ state: "in_flight", explanation: "In flight since 2025-01-06T06:00:00.000Z." });
});

test("a timeline tells when the client left, also where that event was evicted", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) } });
  const { requestId } = buyAirtime(account, 100);
  account.journal.append((_state, at) => [{ kind: "client-left", at, requestId, waited: 2_004 }]);
  await account.advance({ by: 1_000 }, 1_000);
  const transaction = findTransaction(account, requestId);
  const { events } = account.journal.read();

  const whole = readTimeline(transaction, events, { limit: 3_000 });
  const cut = readTimeline(transaction, events.slice(4), { limit: 3_000 });

  expect(whole.map(({ event }) => event)).toEqual(["accepted", "client-left", "settled", "attempted"]);
  expect(whole[1]).toMatchObject({
    title: "Client left",
    text: "Gone after 2,004 ms, before its acknowledgment.",
    tone: "bad",
  });
  expect(cut).toEqual(whole);
});

function statusOf(account: RunningAccount, requestId: string): { state: string; explanation: string } {
  const transaction = findTransaction(account, requestId);
  const now = account.now();
  return { state: callbackState(transaction, now), explanation: explainCallback(transaction, now, 3_000) };
}
