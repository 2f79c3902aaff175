import { expect, test } from "vitest";
import { testControl } from "../../support/control.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

const CALL = "/accounts/default/callbacks/doctor";

test("sends a sample to the URL, says what each check came to, and leaves no trace in the journal", async () => {
  const { call, account, sent } = testControl({
    answer: () => ({ kind: "answered", status: 419, body: "Page Expired" }),
  });

  const { status, body } = await call("POST", CALL, { url: "http://shop:8000/hooks", operation: "sms" });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    url: "http://shop:8000/hooks",
    operation: "sms",
    conclusion: "failed",
    sent: sent[0]?.body,
    millis: 5,
  });
  expect(body.checks.map(({ check, verdict }: { check: string; verdict: string }) => `${check} ${verdict}`)).toEqual([
    "name ok",
    "connection ok",
    "tls skipped",
    "answer failed",
  ]);
  expect(body.checks[3].repair).toContain("CSRF protection");
  expect(account.journal.version).toBe(1);
});

test.each([
  ["airtime", "Airtime top-up of KES 5.00 to 254700000000 was successful."],
  ["sms", "Message delivered."],
])("sends what the gateway says of a success in %s", async (operation, result_desc) => {
  const { call, sent } = testControl();

  await call("POST", CALL, { url: "http://localhost:3000/", operation });

  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ url: "http://localhost:3000/", headers: { "content-type": "application/json" } });
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
    request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    charge: 0,
    account_balance: 10_000,
    result_code: 200,
    result_desc,
  });
});

test("takes the registered URL where none is named", async () => {
  const { call, sent } = testControl({
    account: { callbacks: callbacksTo("http://localhost:3000/") },
  });

  const { body } = await call("POST", CALL);

  expect(body).toMatchObject({
    url: "http://localhost:3000/",
    operation: "airtime",
    conclusion: "ok",
  });
  expect(sent).toHaveLength(1);
});

test.each([
  ["without a URL where none is registered", {}, 409],
  ["what is no URL", { url: "localhost:3000" }, 422],
  ["the receiver inside the sandbox", { url: "kredo:sink" }, 422],
  ["another operation", { url: "http://localhost/", operation: "balance" }, 422],
])("refuses %s", async (_what, body, status) => {
  const { call, sent } = testControl();

  const answer = await call("POST", CALL, body);

  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ problem: expect.any(String), repair: expect.any(String) });
  expect(sent).toEqual([]);
});

test("the receiver inside the sandbox is always reached", async () => {
  const { call } = testControl({ account: { callbacks: callbacksTo("kredo:sink") } });

  expect((await call("POST", CALL, {})).body).toMatchObject({ conclusion: "ok" });
});

test("trusts a URL with the owner's token, and one that callbacks go to already", async () => {
  const url = "http://hooks.example.co.ke/";
  const stranger = testControl();
  const owner = testControl({ control: { adminToken: "t0ken" } });
  const known = testControl({ account: { callbacks: callbacksTo(url) } });

  await stranger.call("POST", CALL, { url });
  await owner.call("POST", CALL, { url }, { authorization: "Bearer t0ken" });
  await known.call("POST", CALL, { url });

  expect([stranger, owner, known].map(({ sent }) => sent[0]?.trusted)).toEqual([false, true, true]);
});

test("does nothing without the token that is asked for", async () => {
  const { call, sent } = testControl({ control: { adminToken: "t0ken" } });

  const { status } = await call("POST", CALL, { url: "http://localhost/" });

  expect(status).toBe(401);
  expect(sent).toEqual([]);
});
