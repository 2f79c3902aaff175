import { expect, test } from "vitest";
import {
  AIRTIME,
  callGateway,
  type Call,
  DETAILS,
  sendAirtime,
  SMS,
  VALID_AIRTIME,
} from "../../support/gateway/gateway-client.ts";
import { basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

const OVERSIZED = "x".repeat(1_048_577);
const WRONG = basic("sandbox-key", "wrong");

/** Each call has every defect of the ones below it. */
const DEFECTS: [number, Call][] = [
  [404, { method: "PUT", path: "/api/v2/nothing", headers: { authorization: WRONG }, body: OVERSIZED }],
  [405, { method: "PUT", path: AIRTIME, headers: { authorization: WRONG }, body: OVERSIZED }],
  [413, { headers: { authorization: WRONG, "content-type": "text/plain" }, body: OVERSIZED }],
  [401, { headers: { authorization: WRONG, "content-type": "text/plain" }, body: "{" }],
  [429, { headers: { "content-type": "text/plain" }, body: "{" }],
];

test.each(DEFECTS)("answers %i first, before every later check", async (code, call) => {
  await using sandbox = await startTestGateway({ accounts: [{ rate_limit: { requests: 1, per: "1m" } }] });
  await sendAirtime(sandbox);

  const { status, body } = await callGateway(sandbox, call);

  expect(status).toBe(code);
  expect(body["status_code"]).toBe(code);
});

test.each<[number, Call]>([
  [415, { headers: { "content-type": "text/plain" }, body: "{" }],
  [400, { body: "{" }],
  [422, { body: { phone_number: "254712345678", amount: "1" } }],
  [402, { body: VALID_AIRTIME }],
])("answers %i to a wallet without money, where that is the first defect", async (code, call) => {
  await using sandbox = await startTestGateway({ accounts: [{ balance: "0" }] });

  const { status } = await callGateway(sandbox, call);

  expect(status).toBe(code);
});

test("answers 422 to a repeated request before 402", async () => {
  await using sandbox = await startTestGateway({ duplicates: "refuse", accounts: [{ balance: "95" }] });
  await sendAirtime(sandbox);

  const { status } = await sendAirtime(sandbox);

  expect(status).toBe(422);
});

test.each([
  ["GET", AIRTIME, "POST, OPTIONS"],
  ["HEAD", AIRTIME, "POST, OPTIONS"],
  ["PUT", SMS, "POST, OPTIONS"],
  ["DELETE", SMS, "POST, OPTIONS"],
  ["PATCH", AIRTIME, "POST, OPTIONS"],
  ["POST", DETAILS, "GET, HEAD, OPTIONS"],
  ["DELETE", DETAILS, "GET, HEAD, OPTIONS"],
])("answers %s on %s with 405 and what is allowed", async (method, path, allow) => {
  await using sandbox = await startTestGateway();

  const response = await sandbox.running.fetch(new Request(`http://gateway.test${path}`, { method }));

  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allow);
});

test.each([
  ["/api/v2/airtime/", "did you mean /api/v2/airtime?"],
  ["/airtime", "did you mean /api/v2/airtime?"],
  ["/api/v1/sms", "did you mean /api/v2/sms?"],
  ["/API/V2/SMS", "did you mean /api/v2/sms?"],
  ["//api/v2/account-details", "did you mean /api/v2/account-details?"],
  ["/metrics", "the paths are /api/v2/airtime, /api/v2/sms, /api/v2/account-details"],
  ["/api/v2/airtime%0a%1b[31m", "the paths are /api/v2/airtime, /api/v2/sms, /api/v2/account-details"],
])("answers %s with 404 and the right path", async (path, hint) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await callGateway(sandbox, { path, body: VALID_AIRTIME });

  expect(status).toBe(404);
  expect(headers.get("x-kredo-hint")).toBe(hint);
  expect(body).toEqual({
    status_code: 404,
    description: expect.stringMatching(/^Not found: [\x20-\x7e]+\.$/),
    request_id: expect.any(String),
  });
});

test("names the path of a base URL without /api/v2 in the description, which SDKs show", async () => {
  await using sandbox = await startTestGateway();

  const { body } = await callGateway(sandbox, { path: "/airtime", body: VALID_AIRTIME });

  expect(body["description"]).toBe("Not found: /airtime.");
});

test("refuses more requests than the account's limit, until its clock has moved on", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ rate_limit: { requests: 2, per: "90s" } }] });
  await sendAirtime(sandbox);
  await callGateway(sandbox, { method: "GET", path: DETAILS });
  await sandbox.account.advance({ by: 30_500 }, 1_000);

  const refused = await sendAirtime(sandbox);
  await sandbox.account.advance({ by: 59_500 }, 1_000);
  const taken = await sendAirtime(sandbox);

  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(refused.body).toEqual({ status_code: 429, description: "Too many requests.", request_id: expect.any(String) });
  expect(taken.status).toBe(200);
});

test("does not count requests that are refused before the limit is checked", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ rate_limit: { requests: 1, per: "1m" } }] });
  await callGateway(sandbox, { headers: { authorization: WRONG }, body: VALID_AIRTIME });
  await callGateway(sandbox, { path: "/nothing", body: VALID_AIRTIME });
  await callGateway(sandbox, { body: OVERSIZED });

  const { status } = await sendAirtime(sandbox);

  expect(status).toBe(200);
});

test.each([
  ["unauthorized", { headers: { authorization: undefined } }, 401],
  ["not found", { path: "/nothing" }, 404],
  ["invalid", { body: {} }, 422],
  ["malformed", { body: "{" }, 400],
])("answers what is %s with HTTP 200 under http_status always_200, headers and all", async (_what, call, code) => {
  await using sandbox = await startTestGateway({ http_status: "always_200" });

  const { status, body } = await callGateway(sandbox, call);

  expect(status).toBe(200);
  expect(body["status_code"]).toBe(code);
});
