import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { AIRTIME, callGateway, SMS, UUID, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

const MALFORMED = { status_code: 400, description: "Malformed JSON.", request_id: expect.stringMatching(UUID) };
const VALID = JSON.stringify(VALID_AIRTIME);

test.each<[string, string | Uint8Array, string | RegExp]>([
  ["nothing", "", "the body is empty"],
  ["white space", " \r\n\t", "the body is empty"],
  ["half an object", '{"amount":"100"', /^the body is not JSON: /],
  ["a trailing comma", `${VALID.slice(0, -1)},}`, /^the body is not JSON: /],
  ["a form", "phone_number=254712345678&amount=100", /^the body is not JSON: /],
  ["text after the object", `${VALID}x`, /^the body is not JSON: /],
  ["single quotes", "{'amount':'100'}", /^the body is not JSON: /],
  ["NaN", '{"amount":NaN}', /^the body is not JSON: /],
  ["an array", `[${VALID}]`, "the body must be a JSON object"],
  ["null", "null", "the body must be a JSON object"],
  ["a string", '"254712345678"', "the body must be a JSON object"],
  ["a number", "100", "the body must be a JSON object"],
  ["100,000 brackets", "[".repeat(100_000), "the document is nested deeper than 100 levels"],
  [
    "100,000 closed brackets",
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    "the document is nested deeper than 100 levels",
  ],
  ["a byte that is no UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^the body is not valid UTF-8; /],
  ["an overlong slash", Uint8Array.from([0x22, 0xc0, 0xaf, 0x22]), /^the body is not valid UTF-8; /],
  ["a surrogate in UTF-8", Uint8Array.from([0x22, 0xed, 0xa0, 0xbd, 0x22]), /^the body is not valid UTF-8; /],
  ["UTF-16", Buffer.from(VALID, "utf16le"), /^the body is not JSON: /],
])("refuses %s as a body", async (_what, body, hint) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body: told } = await callGateway(sandbox, { body });

  expect(status).toBe(400);
  expect(told).toEqual(MALFORMED);
  expect(headers.get("x-kredo-hint")).toEqual(expect.stringMatching(hint));
  expect(headers.get("x-kredo-hint")).toMatch(/^[\x20-\x7e]{1,500}$/);
});

test.each([
  ["a byte order mark", `\ufeff${VALID}`],
  ["white space around", `\r\n ${VALID}\n`],
  ["escaped letters in the keys", VALID.replace("amount", "\\u0061mount")],
  ["a duplicate key, the last of which counts", VALID.replace("{", '{"amount":"bad",')],
  [
    "__proto__ and constructor",
    VALID.replace("{", '{"__proto__":{"amount":"bad"},"constructor":{"prototype":{"amount":1}},'),
  ],
  ["a field nested 99 deep", VALID.replace("{", `{"deep":${"[".repeat(99)}${"]".repeat(99)},`)],
])("takes a body with %s", async (_what, body) => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, { body });

  expect(status).toBe(200);
  expect(({} as Record<string, unknown>)["amount"]).toBeUndefined();
});

test.each([
  ["__proto__", `{"__proto__":${VALID}}`],
  ["constructor", `{"constructor":${VALID}}`],
  ["an array's place", `{"0":${VALID}}`],
])("does not take fields out of %s", async (_what, body) => {
  await using sandbox = await startTestGateway();

  const { status, body: told } = await callGateway(sandbox, { body });

  expect(status).toBe(422);
  expect(told["validation_errors"]).toEqual({
    phone_number: ["The phone_number field is required."],
    amount: ["The amount field is required."],
  });
});

test.each([
  "application/json",
  "APPLICATION/JSON",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json ; charset = utf-8",
  "application/json; charset=utf8",
  "application/json;",
  "application/json; v=1",
  "application/json;odata=verbose;charset=utf-8",
  'application/json\t; profile="a;b"',
  "application/json; charset=latin1",
])("takes a body of Content-Type %s", async (contentType) => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, { headers: { "content-type": contentType }, body: VALID_AIRTIME });

  expect(status).toBe(200);
});

test.each([
  [undefined, "there is no Content-Type header; send application/json in UTF-8"],
  ["", "the Content-Type is empty; send application/json in UTF-8"],
  ["text/plain", "the Content-Type is text/plain; send application/json in UTF-8"],
  ["application/jsonp", "the Content-Type is application/jsonp; send application/json in UTF-8"],
  [
    "application/x-www-form-urlencoded",
    "the Content-Type is application/x-www-form-urlencoded; send application/json in UTF-8",
  ],
  ["application/json+v1", "the Content-Type is application/json+v1; send application/json in UTF-8"],
  ["application/json, text/html", "the Content-Type is application/json, text/html; send application/json in UTF-8"],
  ["text/plain; é", "the Content-Type is text/plain; ?; send application/json in UTF-8"],
])("refuses a body of Content-Type %s", async (contentType, hint) => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await callGateway(sandbox, {
    headers: { "content-type": contentType },
    body: VALID,
  });

  expect(status).toBe(415);
  expect(headers.get("x-kredo-hint")).toBe(hint);
  expect(body).toEqual({
    status_code: 415,
    description: "Unsupported media type.",
    request_id: expect.stringMatching(UUID),
  });
});

test("keeps a hint short, however long what it quotes", async () => {
  await using sandbox = await startTestGateway();

  const { headers } = await callGateway(sandbox, { headers: { "content-type": "x".repeat(10_000) }, body: VALID });

  expect(headers.get("x-kredo-hint")?.length).toBeLessThanOrEqual(500);
});

test("shows no hint where hints are off, and refuses all the same", async () => {
  await using sandbox = await startTestGateway({ hints: false });

  const answers = [
    await callGateway(sandbox, { headers: { authorization: undefined }, body: VALID }),
    await callGateway(sandbox, { body: "{" }),
    await callGateway(sandbox, { path: "/nothing", body: VALID }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 400, 404]);
  expect(answers.flatMap(({ headers }) => [...headers.keys()]).filter((name) => name.startsWith("x-kredo"))).toEqual(
    [],
  );
});

test.each([
  ["of 1,048,576 bytes", VALID.padEnd(1_048_576), {}],
  ["whose Content-Encoding is identity", VALID, { "content-encoding": "identity" }],
])("takes a body %s", async (_what, body, headers) => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, { path: AIRTIME, body, headers });

  expect(status).toBe(200);
});

test("says how large a body may be, and writes the refusal down without the body", async () => {
  await using sandbox = await startTestGateway();

  const { headers, body } = await callGateway(sandbox, { path: SMS, body: "x".repeat(1_048_577) });

  const { events } = sandbox.account.journal.read();
  expect(body).toEqual({
    status_code: 413,
    description: "Request body too large.",
    request_id: expect.stringMatching(UUID),
  });
  expect(headers.get("x-kredo-hint")).toBe("a body has at most 1048576 bytes");
  expect(events.at(-1)).toMatchObject({ kind: "refused", code: 413, operation: "sms", body: "" });
});

test("writes down the first 4,096 characters of a body that it refused", async () => {
  await using sandbox = await startTestGateway();

  await callGateway(sandbox, { body: "x".repeat(5_000) });

  const { events } = sandbox.account.journal.read();
  expect(events.at(-1)).toMatchObject({ kind: "refused", code: 400, body: "x".repeat(4_096) });
});

test("writes down the order that it refused, and not its body as well", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ balance: "0" }] });

  await callGateway(sandbox, { body: VALID });

  const { events } = sandbox.account.journal.read();
  expect(events.at(-1)).toMatchObject({
    kind: "refused",
    code: 402,
    order: { operation: "airtime", amount: 10_000 },
  });
  expect(events.at(-1)).not.toHaveProperty("body", expect.anything());
});

test.each([
  ["gzip", gzipSync(VALID)],
  ["gzip", VALID],
  ["br", VALID],
])("refuses a body with Content-Encoding %s, and names the header", async (encoding, body) => {
  await using sandbox = await startTestGateway();

  const { status, headers } = await callGateway(sandbox, { body, headers: { "content-encoding": encoding } });

  expect(status).toBe(415);
  expect(headers.get("x-kredo-hint")).toBe(
    `the Content-Encoding is ${encoding}; send the body as it is, without this header`,
  );
});
