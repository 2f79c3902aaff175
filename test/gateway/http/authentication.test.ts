import { expect, test } from "vitest";
import type { RequestRefused } from "../../../src/gateway/account/events.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { rotateSecret } from "../../../src/gateway/engine/commands.ts";
import { callGateway, UUID, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { script } from "../../support/gateway/scripted.ts";
import { AUTHORIZATION, basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

const UNAUTHORIZED = { status_code: 401, description: "Unauthorized.", request_id: expect.stringMatching(UUID) };

/** The refusals in an account's journal. */
async function refusals(account: RunningAccount): Promise<RequestRefused[]> {
  const { events } = account.journal.read();
  return events.flatMap((event) => (event.kind === "refused" ? [event] : []));
}

const encoded = (text: string): string => Buffer.from(text, "latin1").toString("base64");

const NOT_ENCODED = "the credentials are not encoded; send Basic and the Base64 of key:secret";
const UNKNOWN = "no account has this consumer key";
const WRONG = "the consumer key is known, the secret is wrong";
const NEWLINE = "it ends in a newline, as `echo` without -n adds one";
const UTF_16 = "it was encoded in UTF-16; encode UTF-8";
const UNSET = "it is the word that a program writes for a variable that is not set";
const PLACEHOLDER = "it is a placeholder that nothing was put in for";

test.each<[string, string | undefined, string]>([
  ["no header", undefined, "there is no Authorization header"],
  ["an empty header", "", "the Authorization header is empty"],
  ["another scheme", "Bearer sandbox-secret", "the scheme is Bearer; the gateway takes Basic"],
  ["no scheme", encoded("sandbox-key:sandbox-secret"), "the word Basic is missing before the credentials"],
  ["a secret alone", "sandbox-secret", "the Authorization header is not of the form Basic BASE64"],
  ["two words behind the scheme", `${AUTHORIZATION} more`, "there is a blank within the credentials"],
  ["nothing encoded", "Basic ", "nothing follows the word Basic"],
  ["plain text", "Basic sandbox-key:sandbox-secret", NOT_ENCODED],
  ["plain text with blanks", "Basic sandbox-key: sandbox-secret", NOT_ENCODED],
  ["plain text without a scheme", "sandbox-key:sandbox-secret", NOT_ENCODED],
  ["characters of no Base64", "Basic abc$", "the credentials are not Base64"],
  ["a key alone, plain", "Basic sandbox-key", "the credentials are not Base64"],
  ["too much padding", "Basic YTpi===", "the credentials are not Base64"],
  ["Base64 in quotes", `Basic "${encoded("a:b")}"`, "the credentials are in quotes; send the Base64 alone"],
  ["no colon", `Basic ${encoded("sandbox-key")}`, "the decoded credentials have no colon between key and secret"],
  ["credentials encoded twice", `Basic ${encoded(encoded("a:b"))}`, "the credentials are encoded twice"],
  ["an unknown key", basic("nobody", "sandbox-secret"), UNKNOWN],
  ["a key in another case", basic("Sandbox-Key", "sandbox-secret"), UNKNOWN],
  ["a key of __proto__", basic("__proto__", "x"), UNKNOWN],
  ["the word default", basic("default", "sandbox-secret"), UNKNOWN],
  ["the sandbox's own journal", basic(":sandbox", ""), `${UNKNOWN}: it is empty`],
  ["bytes that are not UTF-8", `Basic ${encoded("sandbox-key\xff:x")}`, UNKNOWN],
  ["key and secret swapped", basic("sandbox-secret", "sandbox-key"), `${UNKNOWN}: key and secret are swapped`],
  ["two keys", basic("nobody", "sandbox-key"), UNKNOWN],
  ["both in quotes", basic('"sandbox-key"', '"sandbox-secret"'), `${UNKNOWN}: it is in quotes`],
  ["UTF-16", `Basic ${Buffer.from("a:b", "utf16le").toString("base64")}`, `${UNKNOWN}: ${UTF_16}`],
  ["undefined variables", basic("undefined", "undefined"), `${UNKNOWN}: ${UNSET}`],
  ["variables of None", basic("None", "None"), `${UNKNOWN}: ${UNSET}`],
  ["variables that no shell replaced", basic("$KEY", "$SECRET"), `${UNKNOWN}: ${PLACEHOLDER}`],
  ["a documentation's key", basic("<consumer key>", "x"), `${UNKNOWN}: ${PLACEHOLDER}`],
  ["a blank before the key", basic(" sandbox-key", "sandbox-secret"), `${UNKNOWN}: it begins or ends with a blank`],
  ["a wrong secret", basic("sandbox-key", "sandbox-Secret"), WRONG],
  ["an empty secret", basic("sandbox-key", ""), `${WRONG}: it is empty`],
  ["a blank after the secret", basic("sandbox-key", "sandbox-secret "), `${WRONG}: it begins or ends with a blank`],
  ["a secret in quotes", basic("sandbox-key", "'sandbox-secret'"), `${WRONG}: it is in quotes`],
  ["an unset secret", basic("sandbox-key", "null"), `${WRONG}: ${UNSET}`],
  ["a placeholder", basic("sandbox-key", "${SECRET}"), `${WRONG}: ${PLACEHOLDER}`],
  ["a newline at its end", basic("sandbox-key", "sandbox-secret\n"), `${WRONG}: ${NEWLINE}`],
])(
  "refuses %s, asks for Basic, and writes it to the journal of the account with this key, or the sandbox's own",
  async (_what, authorization, hint) => {
    await using sandbox = await startTestGateway();

    const { status, headers, body } = await callGateway(sandbox, { headers: { authorization }, body: VALID_AIRTIME });

    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe('Basic realm="gateway", charset="UTF-8"');
    expect(headers.get("x-kredo-hint")).toBe(hint);
    expect(body).toEqual(UNAUTHORIZED);
    const journals = [sandbox.account, sandbox.running.world.sandbox];
    const [own = [], others] = await Promise.all(
      (hint.startsWith(WRONG) ? journals : journals.toReversed()).map(refusals),
    );
    expect(own).toMatchObject([{ code: 401, hint, requestId: body["request_id"] }]);
    expect(others).toEqual([]);
  },
);

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

const OLD = `${WRONG}: it is an old one, which was replaced at 2025-01-06T06:00:00.000Z`;

test("refuses each former secret once another one took its place, says so, and takes the new one", async () => {
  await using sandbox = await startTestGateway();
  for (const secret of ["second", "third"]) rotateSecret(sandbox.account, secret);

  const answers = await Promise.all(
    ["sandbox-secret", "second", "never", "third"].map((secret) =>
      callGateway(sandbox, { headers: { authorization: basic("sandbox-key", secret) }, body: VALID_AIRTIME }),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
  expect(answers.map(({ headers }) => headers.get("x-kredo-hint"))).toEqual([OLD, OLD, WRONG, null]);
});

test("takes only the new secret of an account that took any", async () => {
  await using sandbox = await startTestGateway({ auto_accounts: ["test-*"] });
  const ask = (secret: string) =>
    callGateway(sandbox, { headers: { authorization: basic("test-a", secret) }, body: VALID_AIRTIME });
  const before = await ask("whatever");
  rotateSecret(sandbox.running.world.get("test-a"), "new");

  const after = [await ask("whatever"), await ask("new")];

  expect([before, ...after].map(({ status }) => status)).toEqual([200, 401, 200]);
  expect(after[0]?.headers.get("x-kredo-hint")).toBe(OLD);
});

test("a former secret is accepted again when it comes back, and is forgotten as an old one by a reset", async () => {
  await using sandbox = await startTestGateway();
  const ask = (secret: string) =>
    callGateway(sandbox, { headers: { authorization: basic("sandbox-key", secret) }, body: VALID_AIRTIME });
  rotateSecret(sandbox.account, "new");
  rotateSecret(sandbox.account, "sandbox-secret");
  const back = [await ask("sandbox-secret"), await ask("new")];
  rotateSecret(sandbox.account, "new");
  sandbox.account.reset();

  const reset = [await ask("sandbox-secret"), await ask("new")];

  expect([...back, ...reset].map(({ status }) => status)).toEqual([200, 401, 401, 200]);
  expect(reset[0]?.headers.get("x-kredo-hint")).toBe(WRONG);
});

test("says of a rotated secret that it is revoked, not replaced, while another scenario has revoked the credentials", async () => {
  await using sandbox = await startTestGateway();
  await script(sandbox.account, "timeline: [{ at: 0s, do: { credentials: { secret: new } } }]", "rotation");
  await script(sandbox.account, "timeline: [{ at: 0s, do: { credentials: revoked } }]", "revocation");

  const answers = await Promise.all(
    ["sandbox-secret", "new"].map((secret) =>
      callGateway(sandbox, { headers: { authorization: basic("sandbox-key", secret) }, body: VALID_AIRTIME }),
    ),
  );

  expect(answers.map(({ status, headers }) => ({ status, hint: headers.get("x-kredo-hint") }))).toEqual([
    { status: 401, hint: OLD },
    { status: 401, hint: "the scenario revocation has revoked these credentials" },
  ]);
});
