import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { testControl } from "../../support/control.ts";
import { buyAirtime, callbacksTo, sendSms } from "../../support/gateway/world.ts";

test("opens an account from an empty body and says where it is", async () => {
  const { call, world } = testControl();

  const { status, headers, body } = await call("POST", "/accounts");

  expect(status).toBe(201);
  expect(headers.get("location")).toBe("/__admin/accounts/made-up-key");
  expect(body).toMatchObject({
    consumer_key: "made-up-key",
    balance: { available: 10_000, held: 0, ledger: 10_000 },
  });
  expect(world.list()).toHaveLength(2);
});

test("refuses a consumer key that is taken", async () => {
  const { call } = testControl();

  expect((await call("POST", "/accounts", { consumer_key: "sandbox-key" })).status).toBe(409);
});

test("shows a whole account", async () => {
  const { call, account } = testControl({
    account: { callbacks: callbacksTo("kredo:sink"), rate_limit: { requests: 5, per: 60_000 } },
  });
  buyAirtime(account, 100);

  const { body } = await call("GET", "/accounts/default");

  expect(body).toEqual({
    consumer_key: "sandbox-key",
    consumer_secret: "sandbox-secret",
    balance: { available: 9_905, held: 95, ledger: 10_000 },
    seed: 1,
    clock: { mode: "manual", now: "2025-01-06T06:00:00.000Z" },
    callbacks: expect.objectContaining({
      airtime: "kredo:sink",
      sms: "kredo:sink",
      timeout: "3s",
      concurrency: 64,
      headers: {},
      ca: null,
    }),
    sender_ids: [
      { sender_id: "SANDBOX", carriers: CARRIERS },
      { sender_id: "20254", carriers: CARRIERS },
    ],
    rate_limit: { requests: 5, per: "1m" },
    profile: "document",
    form: expect.objectContaining({ callback_values: "numbers", decimals: "trimmed", ucs2_concatenated: 70 }),
    journal_version: 2,
  });
});

test("drops an account, even the default, which the next one then becomes; the last one stays", async () => {
  const { call } = testControl();
  await call("POST", "/accounts");

  const dropped = await call("DELETE", "/accounts/default");
  const after = await call("GET", "/accounts/default");
  const refused = await call("DELETE", "/accounts/made-up-key");
  const last = await call("GET", "/accounts/default");

  expect(dropped).toMatchObject({ status: 204, body: "" });
  expect(after.body.consumer_key).toBe("made-up-key");
  expect(refused).toMatchObject({
    status: 409,
    body: {
      problem: "it is the only account, and without one every request gets 401",
      repair: "open another one first, or reset this one",
    },
  });
  expect(last.body.consumer_key).toBe("made-up-key");
});

test("resets an account to its seed state and cancels what was pending", async () => {
  const { call, account } = testControl();
  buyAirtime(account, 100);

  const { body } = await call("POST", "/accounts/default/reset");

  expect(body).toMatchObject({ balance: { available: 10_000, held: 0 } });
  expect(account.pending()).toEqual([]);
});

test("changes the callback settings that are there, and takes a URL away with null", async () => {
  const { call } = testControl({ account: { callbacks: callbacksTo("http://localhost:3000/?token=a") } });

  await call("PUT", "/accounts/default/callbacks", {
    timeout: "5s",
    retry: { attempts: 3, spacing: ["1s", "10s"] },
    headers: { "X-Token": "a" },
  });
  const { body } = await call("PUT", "/accounts/default/callbacks", { sms: null, insecure: true });

  expect(body).toMatchObject({
    airtime: "http://localhost:3000/?token=a",
    sms: null,
    timeout: "5s",
    retry: { attempts: 3, spacing: ["1s", "10s"], on: expect.arrayContaining(["timed_out"]) },
    headers: { "X-Token": "a" },
    insecure: true,
  });
});

test.each([
  [{}, false],
  [{ adminToken: "s3cret" }, true],
])("trusts a callback URL with an admin token alone: %j", async (control, trusted) => {
  const { call, account } = testControl({ control });

  await call(
    "PUT",
    "/accounts/default/callbacks",
    { sms: "https://example.com/hook" },
    { authorization: "Bearer s3cret" },
  );

  expect(account.state.settings.callbacks.urls.sms).toEqual({ url: "https://example.com/hook", trusted });
});

test("sets a second URL for every callback, says what came of each copy, and takes it away with null", async () => {
  const { call, account } = testControl({
    account: { callbacks: callbacksTo("http://receiver.test/hook") },
    answer: ({ url }) => (url.includes("second") ? { kind: "refused" } : { kind: "answered", status: 200, body: "" }),
  });

  const set = await call("PUT", "/accounts/default/callbacks", { copy: "http://second.test/hook" });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  const sent = await call("GET", "/accounts/default/callbacks/sent");
  const exported = await call("GET", "/accounts/default/export");
  const removed = await call("PUT", "/accounts/default/callbacks", { copy: null });

  expect(set.body.copy).toBe("http://second.test/hook");
  expect(sent.body.items).toMatchObject([
    { acknowledged: true, copy: { url: "http://second.test/hook", outcome: { kind: "refused" } } },
  ]);
  expect(exported.body.events).toContainEqual(expect.objectContaining({ kind: "copied", millis: 0 }));
  expect(removed.body.copy).toBeNull();
});

test("keeps the trust of a URL that is put back as it was", async () => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo("https://example.com/hook") } });

  await call("PUT", "/accounts/default/callbacks", {
    sms: "https://example.com/hook",
    airtime: "https://example.com/other",
  });

  expect(account.state.settings.callbacks.urls).toEqual({
    sms: { url: "https://example.com/hook", trusted: true },
    airtime: { url: "https://example.com/other", trusted: false },
  });
});

test.each(["localhost:3000", "ftp://localhost/", "http://", ""])("refuses %j as a callback URL", async (sms) => {
  const { call } = testControl();

  expect((await call("PUT", "/accounts/default/callbacks", { sms })).status).toBe(422);
});

test("shows the copies that the receiver inside the sandbox got", async () => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });
  await call("PUT", "/accounts/default/callbacks", { copy: "kredo:sink" });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/callbacks/received");

  expect(body.items).toMatchObject([{ request_id: requestId, copy: { url: "kredo:sink" } }]);
});

test("shows what the receiver inside the sandbox got", async () => {
  const { call, account, sent } = testControl({ account: { callbacks: callbacksTo("kredo:sink") } });
  sendSms(account, "Habari");
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/callbacks/received");

  expect(sent).toEqual([]);
  expect(body.total).toBe(2);
  expect(body.items[0]).toMatchObject({
    request_id: requestId,
    url: "kredo:sink",
    operation: "airtime",
    acknowledged: true,
  });
  expect(body.items[0].explanation).toBe("kredo:sink answered 200: delivered.");
  expect(JSON.parse(body.items[0].body)).toMatchObject({ charge: 95 });
});

test("lists every callback attempt, newest first, wherever it went", async () => {
  const { call, account } = testControl({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });
  const first = sendSms(account, "Habari");
  await account.advance({ by: 1_000 }, 1_000);
  const second = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", "/accounts/default/callbacks/sent");

  expect(body).toMatchObject({
    total: 2,
    items: [
      { request_id: second.requestId, operation: "airtime", answered: 200 },
      { request_id: first.requestId, operation: "sms", answered: 200 },
    ],
  });
});

test("submits a sender ID, debits its fees, and decides on it", async () => {
  const { call, account } = testControl();
  await call("PUT", "/accounts/default/wallet", { balance: "30000" });

  const { status, body } = await call("POST", "/accounts/default/sender-ids", {
    sender_id: "MFANO",
    carriers: ["safaricom", "airtel"],
    documents: DOCUMENTS,
  });
  const rejected = await call("POST", `/accounts/default/sender-ids/${body.registrations[1].id}/decide`, {
    verdict: "rejected",
    reason: "no letter",
  });
  await account.advance({ by: 5 * 24 * 3_600_000 }, 1_000);
  const { body: decided } = await call("GET", "/accounts/default");

  expect(status).toBe(201);
  expect(body).toMatchObject({
    wallet: { available: 10_000 },
    registrations: [{ state: "submitted", fee: 10_000, carrier: "safaricom" }, { carrier: "airtel" }],
  });
  expect(rejected.body).toMatchObject({ state: "rejected", reason: "no letter" });
  expect(decided.sender_ids).toContainEqual({ sender_id: "MFANO", carriers: ["safaricom"] });
});

test("refuses a registration that cannot be paid, is there already, or has no such id", async () => {
  const { call } = testControl();

  const answers = [
    await call("POST", "/accounts/default/sender-ids", {
      sender_id: "MFANO",
      carriers: ["airtel", "telkom"],
      documents: DOCUMENTS,
    }),
    await call("POST", "/accounts/default/sender-ids", {
      sender_id: "SANDBOX",
      carriers: ["airtel"],
      documents: DOCUMENTS,
    }),
    await call("POST", "/accounts/default/sender-ids", { sender_id: "far too long a name", documents: DOCUMENTS }),
    await call("POST", "/accounts/default/sender-ids/nobody/decide", { verdict: "approved" }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([402, 422, 422, 404]);
  expect(answers[0]?.body).toMatchObject({
    problem:
      "Insufficient funds. Registration costs KES 10,000.00 per carrier, KES 20,000.00 in all; the wallet has KES 10,000.00.",
    repair: "top up the wallet, or order less",
  });
  expect(answers[1]?.body.problem).toContain("SANDBOX is already registered");
});

test("asks for the names of both documents, as the specification says", async () => {
  const { call } = testControl();
  await call("PUT", "/accounts/default/wallet", { balance: "30000" });

  const without = await call("POST", "/accounts/default/sender-ids", { sender_id: "MFANO" });
  const wrong = await call("POST", "/accounts/default/sender-ids", {
    sender_id: "MFANO",
    documents: { authorization_letter: "letter.jpg", registration_pdf: "certificate.jpg" },
  });
  const right = await call("POST", "/accounts/default/sender-ids", {
    sender_id: "MFANO",
    carriers: ["safaricom"],
    documents: DOCUMENTS,
  });

  expect(without.body.problems).toEqual([{ path: "documents", problem: "is missing", repair: "add documents" }]);
  expect(wrong.body.problems).toMatchObject([{ path: "documents.registration_pdf" }]);
  expect(right.status).toBe(201);
});

test("takes a registration without documents where the config does not ask for them", async () => {
  const { call } = testControl({
    gateway: { sender_id_registration: { fee: NO_MONEY, business_days: { min: 2, max: 3 }, require_documents: false } },
  });

  const { status } = await call("POST", "/accounts/default/sender-ids", { sender_id: "MFANO" });

  expect(status).toBe(201);
});

const DOCUMENTS = { authorization_letter: "letter.jpg", registration_pdf: "certificate.pdf" };
