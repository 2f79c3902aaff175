import { expect, test } from "vitest";
import { excerpt, tryParseJson, readReply } from "../../../src/verdict/application/ask.ts";
import type { AppMap } from "../../../src/verdict/application/app-map.ts";
import { readBalance } from "../../../src/verdict/application/money.ts";
import { fillPath, jsonPathValue, readAmount } from "../../../src/verdict/application/json-path.ts";
import { isUrl, methodOf, requestValue } from "../../../src/verdict/application/request.ts";

test.each([
  [199, { missing: "answered 199: words" }],
  [200, { value: "words" }],
  [299, { value: "words" }],
  [300, { missing: "answered 300: words" }],
])("an answer of %i is read", (status, shown) => {
  expect(readReply({ kind: "answered", status, text: "words" })).toEqual(shown);
});

test("silence is no answer", () => {
  const reply = { kind: "silent", reason: "connection refused", wasReached: false } as const;

  expect(readReply(reply)).toEqual({ missing: "no answer (connection refused)" });
});

test.each([
  ["null", "null", { value: null }],
  ["a list", "[1]", { value: [1] }],
  ["no JSON", "<html>", undefined],
  ["lists nested too deep", "[".repeat(10_000) + "]".repeat(10_000), undefined],
  [
    "a whole number of 64 bits",
    "[9007199254740993, -9223372036854775808]",
    { value: ["9007199254740993", "-9223372036854775808"] },
  ],
  ["the largest that has no neighbour of the same value", "9007199254740991", { value: 9_007_199_254_740_991 }],
  ["an amount with noise", "943.9499999999999", { value: 943.949_999_999_999_9 }],
  ["the last of equal keys", '{ "id": 1, "id": 9007199254740993 }', { value: { id: "9007199254740993" } }],
])("reads %s as JSON, or as none", (_what, text, read) => {
  expect(tryParseJson(text)).toEqual(read);
});

test("a path compares ids as it did, and finds one of 64 bits by its text", () => {
  const orders = tryParseJson('[{ "id": 7, "is": "small" }, { "id": 9007199254740993, "is": "large" }]')?.value;

  expect(jsonPathValue.parse("$[?@.id == 7].is").find(orders)).toEqual(["small"]);
  expect(jsonPathValue.parse("$[?@.id < 8].is").find(orders)).toEqual(["small"]);
  const path = jsonPathValue.parse('$[?@.id == "{id}"].is');
  expect(fillPath(path, new Map([["id", "9007199254740993"]])).find(orders)).toEqual(["large"]);
});

test.each([
  ["", ""],
  [" \n ", ""],
  [" one\n\n  two ", ": one two"],
  ["x".repeat(160), `: ${"x".repeat(160)}`],
  ["x".repeat(161), `: ${"x".repeat(160)}…`],
])("quotes the beginning of %j", (text, quoted) => {
  expect(excerpt(text)).toBe(quoted);
});

test.each([
  ["99.50", 9_950],
  [99.5, 9_950],
  ["-99.50", -9_950],
  [-1, -100],
  ["1-", undefined],
  ["--1", undefined],
  ["1-1", undefined],
  ["-", undefined],
  [0.1 + 0.2, 30],
  [0.1 + 0.2 - 0.3, 0],
  [943.9499999999999, 94_395],
  [-943.9499999999999, -94_395],
  [1_000_000.05 + 1e-9, 100_000_005],
  ["943.9500", 94_395],
  ["0.999999", 100],
  [12.345, undefined],
  [1e21, undefined],
  ["KES 59.00", undefined],
  ["59.00 KES", undefined],
  ["1,059.00", undefined],
  ["9999999999999.999", undefined],
  [true, undefined],
  [["5"], undefined],
  [null, undefined],
])("reads the amount %j", (value, amount) => {
  expect(readAmount(value)).toBe(amount);
});

const read = (balance: unknown, keys: Pick<NonNullable<AppMap["balance"]>, "unit" | "owed">) =>
  readBalance({ kind: "answered", status: 200, text: JSON.stringify({ left: balance }) }, LEFT, keys);
const LEFT = jsonPathValue.parse("$.left");

test.each([
  [943.95, {}, { value: 94_395 }],
  [94_395, { unit: "cents" }, { value: 94_395 }],
  ["94395", { unit: "cents" }, { value: 94_395 }],
  [943.95, { owed: true }, { value: -94_395 }],
  [94_395, { unit: "cents", owed: true }, { value: -94_395 }],
  [943.95, { unit: "cents" }, { missing: "$.left is 943.95, which is not whole cents" }],
  ["KES 59.00", {}, { missing: "$.left is KES 59.00, which is not an amount" }],
  [undefined, {}, { missing: "the answer has nothing at $.left: {}" }],
] as const)("a balance of %j with %j", (balance, keys, shown) => {
  expect(read(balance, keys)).toEqual(shown);
});

test("a path is filled for each order, whatever signs are in its value", () => {
  const path = jsonPathValue.parse('$[?@.phone == "{phone_number}"].status');
  const orders = [
    { phone: "254712000101", status: "paid" },
    { phone: "254712000102", status: "open" },
    { phone: `"it's"\\`, status: "failed" },
  ];
  const single = jsonPathValue.parse("$[?@.phone == '{phone_number}'].status");

  expect(fillPath(path, new Map([["phone_number", "254712000102"]])).find(orders)).toEqual(["open"]);
  expect(fillPath(path, new Map([["phone_number", `"it's"\\`]])).find(orders)).toEqual(["failed"]);
  expect(fillPath(single, new Map([["phone_number", `"it's"\\`]])).find(orders)).toEqual(["failed"]);
  expect(path.find(undefined)).toEqual([]);
  expect(jsonPathValue.safeParse("orders").success).toBe(false);
});

test.each([
  ["http://localhost:3000", true],
  ["HTTPS://shop.example", true],
  ["{app}/orders/{id}", true],
  ["http://{phone_number}.example/{id}", true],
  ["/orders", false],
  ["{id}/orders", false],
  ["see {app}/orders", false],
  ["see http://localhost", false],
  ["ftp://localhost", false],
  ["http://", false],
  ["http:///orders", false],
  ["http://local host", false],
  ["http://localhost/a b", false],
  ["http://localhost:99999", false],
])("%s is a URL: %s", (text, isOne) => {
  expect(isUrl(text)).toBe(isOne);
});

test("a request with a body is a POST, unless the map names its method", () => {
  const url = "{app}/";

  expect([{ url }, { url, json: 0 }, { url, body: "" }, { url, json: 0, method: "PUT" }].map(methodOf)).toEqual([
    "GET",
    "POST",
    "POST",
    "PUT",
  ]);
});

test.each([
  [{ method: "get" }, false],
  [{ method: "GET /" }, false],
  [{ method: "a GET" }, false],
  [{ method: "PROPFIND" }, true],
  [{ json: {} }, true],
  [{ body: "a" }, true],
  [{ json: {}, body: "a" }, false],
])("a request with %j is allowed: %s", (changes, isAllowed) => {
  expect(requestValue.safeParse({ url: "{app}/", ...changes }).success).toBe(isAllowed);
});
