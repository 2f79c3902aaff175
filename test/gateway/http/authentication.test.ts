import { expect, test } from "vitest";
import type { RequestRefused } from "../../../src/gateway/account/events.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { callGateway, sendAirtime, UUID, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { AUTHORIZATION, basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

const UNAUTHORIZED = { status_code: 401, description: "Unauthorized.", request_id: expect.stringMatching(UUID) };

/** The refusals in an account's journal. */
async function refusals(account: RunningAccount): Promise<RequestRefused[]> {
  const { events } = account.read();
  return events.flatMap((event) => (event.kind === "refused" ? [event] : []));
}

const encoded = (text: string): string => Buffer.from(text, "latin1").toString("base64");

test.each<[string, string | undefined, string]>([
  ["no header", undefined, "there is no Authorization header"],
  ["an empty header", "", "the Authorization header is not of the form Basic BASE64"],
  ["another scheme", "Bearer sandbox-secret", "the Authorization header is not of the form Basic BASE64"],
  ["no scheme", encoded("sandbox-key:sandbox-secret"), "the Authorization header is not of the form Basic BASE64"],
  ["two words behind the scheme", `${AUTHORIZATION} more`, "the Authorization header is not of the form Basic BASE64"],
  [
    "plain text",
    "Basic sandbox-key:sandbox-secret",
    "the credentials are in URL-safe Base64; the standard alphabet has + and /",
  ],
  ["characters of no Base64", "Basic abc$", "the credentials are not Base64"],
  ["too much padding", "Basic YTpi===", "the credentials are not Base64"],
  ["no colon", `Basic ${encoded("sandbox-key")}`, "the decoded credentials have no colon between key and secret"],
  ["nothing encoded", "Basic ", "the Authorization header is not of the form Basic BASE64"],
  ["an unknown key", basic("nobody", "sandbox-secret"), "no account has this consumer key"],
  ["a key in another case", basic("Sandbox-Key", "sandbox-secret"), "no account has this consumer key"],
  ["a key of __proto__", basic("__proto__", "x"), "no account has this consumer key"],
  ["the word default", basic("default", "sandbox-secret"), "no account has this consumer key"],
  ["the sandbox's own journal", basic(":sandbox", ""), "no account has this consumer key"],
  ["bytes that are not UTF-8", `Basic ${encoded("sandbox-key\xff:x")}`, "no account has this consumer key"],
])("refuses %s, asks for Basic, and writes it to the sandbox's own journal", async (_what, authorization, hint) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await callGateway(sandbox, { headers: { authorization }, body: VALID_AIRTIME });

  expect(status).toBe(401);
  expect(headers.get("www-authenticate")).toBe('Basic realm="gateway", charset="UTF-8"');
  expect(headers.get("x-kredo-hint")).toBe(hint);
  expect(body).toEqual(UNAUTHORIZED);
  expect(await refusals(sandbox.running.world.sandbox)).toMatchObject([
    { code: 401, hint, requestId: body["request_id"] },
  ]);
  expect(await refusals(sandbox.account)).toEqual([]);
});

test.each([
  ["a wrong secret", basic("sandbox-key", "sandbox-Secret"), "the consumer key is known, the secret is wrong"],
  ["an empty secret", basic("sandbox-key", ""), "the consumer key is known, the secret is wrong"],
  ["a longer secret", basic("sandbox-key", "sandbox-secret "), "the consumer key is known, the secret is wrong"],
  [
    "a trailing newline",
    basic("sandbox-key", "sandbox-secret\n"),
    "the consumer key is known, the secret is wrong; the secret ends in a newline, as `echo` without -n adds one",
  ],
])("refuses %s of a known key, and writes it to that account's journal", async (_what, authorization, hint) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await callGateway(sandbox, { headers: { authorization }, body: VALID_AIRTIME });

  expect(status).toBe(401);
  expect(headers.get("x-kredo-hint")).toBe(hint);
  expect(body).toEqual(UNAUTHORIZED);
  expect(await refusals(sandbox.account)).toMatchObject([{ code: 401, hint, requestId: body["request_id"] }]);
  expect(await refusals(sandbox.running.world.sandbox)).toEqual([]);
});

test("says that Base64 is of the URL-safe kind", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ consumer_key: "key", consumer_secret: "s>>>???" }] });
  const urlSafe = basic("key", "s>>>???").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

  const { status, headers } = await callGateway(sandbox, { headers: { authorization: urlSafe } });

  expect(urlSafe).toMatch(/[-_]/);
  expect(status).toBe(401);
  expect(headers.get("x-kredo-hint")).toBe("the credentials are in URL-safe Base64; the standard alphabet has + and /");
});

test.each([
  ["colons", "a:b::c:"],
  ["letters beyond ASCII", "siri-ya-njé-😀"],
  ["characters that need + and /", "s>>>???"],
])("takes a secret with %s", async (_what, secret) => {
  await using sandbox = await startTestGateway({ accounts: [{ consumer_key: "key", consumer_secret: secret }] });

  const { status } = await callGateway(sandbox, {
    headers: { authorization: basic("key", secret) },
    body: VALID_AIRTIME,
  });

  expect(status).toBe(200);
});

test.each([
  ["a lower-case scheme", AUTHORIZATION.replace("Basic", "basic")],
  ["an upper-case scheme", AUTHORIZATION.replace("Basic", "BASIC")],
  ["more spaces", AUTHORIZATION.replace(" ", "   ")],
  ["no padding", AUTHORIZATION.replace(/=+$/, "")],
])("takes %s", async (_what, authorization) => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, { headers: { authorization }, body: VALID_AIRTIME });

  expect(status).toBe(200);
});

test("asks for authentication before it looks at the request", async () => {
  await using sandbox = await startTestGateway();

  const { status, body } = await callGateway(sandbox, {
    headers: { authorization: undefined, "content-type": "text/plain" },
    body: "{",
  });

  expect(status).toBe(401);
  expect(body).toEqual(UNAUTHORIZED);
});

test("never shows a secret, right or wrong, in an answer", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ consumer_key: "key", consumer_secret: "right-one" }] });

  const { headers, body } = await callGateway(sandbox, { headers: { authorization: basic("key", "wrong-one\n") } });

  expect(JSON.stringify([...headers, body])).not.toMatch(/right-one|wrong-one/);
});

test("keeps accounts apart by their keys", async () => {
  await using sandbox = await startTestGateway({
    accounts: [{}, { consumer_key: "other", consumer_secret: "other-secret" }],
  });

  await callGateway(sandbox, { headers: { authorization: basic("other", "other-secret") }, body: VALID_AIRTIME });
  const crossed = await callGateway(sandbox, {
    headers: { authorization: basic("other", "sandbox-secret") },
    body: VALID_AIRTIME,
  });

  expect(crossed.status).toBe(401);
  expect(sandbox.account.state.transactions.size).toBe(0);
  expect(sandbox.running.world.get("other").state.transactions.size).toBe(1);
});

test("opens one account for a new key of auto_accounts, however many first requests come at once", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"] });
  const secrets = Array.from({ length: 20 }, (_, index) => `secret-${index}`);

  const answers = await Promise.all(
    secrets.map((secret) =>
      callGateway(sandbox, { headers: { authorization: basic("test-a", secret) }, body: VALID_AIRTIME }),
    ),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body["request_id"])).size).toBe(20);
  expect(sandbox.running.world.list().map(({ consumerKey }) => consumerKey)).toEqual(["sandbox-key", "test-a"]);
  expect(sandbox.running.world.get("test-a").state.transactions.size).toBe(20);
});

test("opens no account for a key that auto_accounts does not match, nor for a refused path", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"] });

  const other = await callGateway(sandbox, { headers: { authorization: basic("prod-a", "x") }, body: VALID_AIRTIME });
  const nowhere = await callGateway(sandbox, { path: "/nowhere", headers: { authorization: basic("test-a", "x") } });

  expect({ other: other.status, nowhere: nowhere.status }).toEqual({ other: 401, nowhere: 404 });
  expect(sandbox.running.world.list()).toHaveLength(1);
});

test("opens no more accounts than max_auto_accounts, and says so", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"], max_auto_accounts: 3 });
  const authorizations = ["test-a", "test-b", "test-c", "test-d"].map((key) => basic(key, "x"));

  const first = await Promise.all(
    authorizations.map((authorization) => callGateway(sandbox, { headers: { authorization }, body: VALID_AIRTIME })),
  );
  sandbox.running.world.drop(sandbox.running.world.get("test-a"));
  const later = await callGateway(sandbox, { headers: { authorization: basic("test-d", "x") }, body: VALID_AIRTIME });

  expect(first.map(({ status }) => status)).toEqual([200, 200, 401, 401]);
  expect(first[3]?.headers.get("x-kredo-hint")).toBe(
    "no account has this consumer key: auto_accounts opens no more than 3 accounts; delete some, or raise max_auto_accounts",
  );
  expect(later.status).toBe(200);
});

test("takes no money and no notice of an unauthenticated request", async () => {
  await using sandbox = await startTestGateway();
  await callGateway(sandbox, { headers: { authorization: basic("sandbox-key", "wrong") }, body: VALID_AIRTIME });

  const { status } = await sendAirtime(sandbox);

  expect(status).toBe(200);
  expect(sandbox.account.state.wallet).toMatchObject({ balance: 1_000_000, held: 9_500 });
});

test("keeps the consumer key that no account has", async () => {
  await using sandbox = await startTestGateway();

  await callGateway(sandbox, {
    headers: { authorization: basic("sandbox-kye", "sandbox-secret") },
    body: VALID_AIRTIME,
  });

  expect(await refusals(sandbox.running.world.sandbox)).toMatchObject([{ unknownKey: "sandbox-kye" }]);
});

test.each([
  ["an unknown path", { path: "/api/v1/airtime" }],
  ["a method that an endpoint does not take", { method: "PUT" }],
])("keeps the body of %s", async (_what, call) => {
  await using sandbox = await startTestGateway();

  await callGateway(sandbox, { ...call, body: VALID_AIRTIME });

  expect(await refusals(sandbox.account)).toMatchObject([{ body: JSON.stringify(VALID_AIRTIME) }]);
});
