import { expect, test } from "vitest";
import { appMapJsonSchema, parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { keysWithoutDescription } from "../../support/gateway/json-schema.ts";

const SMALLEST = `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "{amount}" } } } }
callbacks: { airtime: "{app}/hooks/airtime" }
`;

test("needs an application, one order and its callback URL", () => {
  const parsed = parseAppMap(SMALLEST, "kredo.app.yaml");

  expect(parsed).toMatchObject({
    map: { application: "http://localhost:3000", order: { airtime: { request: { url: "{app}/orders" } } } },
  });
});

test("reads the application's words for a status, one or many", () => {
  const text = `${SMALLEST}status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: [completed, success], failed: failed, open: pending }\n`;

  const parsed = parseAppMap(text, "kredo.app.yaml");

  expect(parsed).toMatchObject({
    map: { status: { paid: ["completed", "success"], failed: ["failed"], open: ["pending"] } },
  });
});

test.each([
  ["order: {}", "order is empty; add airtime or sms"],
  [
    'order: { airtime: { request: { url: "{app}/orders/{refrence}" } } }',
    "order: {refrence} is not a placeholder; did you mean {reference}?",
  ],
  [
    'order: { sms: { recipients: 2, request: { url: "{app}/{phone_number}" } } }',
    "order.sms.recipients is not passed on; write {phone_numbers} in order.sms.request",
  ],
  ['order: { airtime: { recipients: 2, request: { url: "{app}/" } } }', "order.airtime.recipients"],
  ["order: { airtime: { request: { url: '{app}/' } } }\ntick: { command: ' ' }", "tick.command"],
])("says where the mistake in %j is, and its repair", (order, message) => {
  const text = SMALLEST.replace(/^order: .*$/m, order);

  const parsed = parseAppMap(text, "kredo.app.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([expect.stringContaining(message)]);
});

const BALANCE = 'balance: { request: { url: "{app}/balance" }, json_path: $.left';
const FORMS =
  'write "{amount}", "{charge}", a percentage like "97%" or "102% of {charge}", an amount like "50.00", pairs like [[50, 48.50], [100, 97]], or { per_part: "1.00" }';

test("each amount that is sold has a price", () => {
  const text = `${SMALLEST}${BALANCE}, price: [[50, 48.50], [100, 97]] }\namounts: [50, 250]\n`;

  const parsed = parseAppMap(text, "a.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([
    "a.yaml:6:10  amounts has 250, which has no price; add a pair to balance.price",
  ]);
});

test("a price may be what the gateway charged, and is the amount by default", () => {
  const parsed = ["", ', price: "{charge}"'].map((price) => parseAppMap(`${SMALLEST}${BALANCE}${price} }\n`, "a.yaml"));

  expect(parsed).toMatchObject([
    { map: { balance: { price: { of: "amount" } } } },
    { map: { balance: { price: { of: "charge" } } } },
  ]);
});

test.each([
  ['"{amount}+2"', `balance.price: "{amount}+2" is not a price; ${FORMS}`],
  ['"{amount}*1.1"', `balance.price: "{amount}*1.1" is not a price; ${FORMS}`],
  ['"abc"', `balance.price: "abc" is not a price; ${FORMS}`],
  ['"102 %"', `balance.price: "102 %" is not a price; ${FORMS}`],
  ['"102% {amount}"', `balance.price: "102% {amount}" is not a price; ${FORMS}`],
  ['"102% of {message}"', `balance.price: "102% of {message}" is not a price; ${FORMS}`],
  ["-5", `balance.price: "-5" is not a price; ${FORMS}`],
  ["1.234", `balance.price: "1.234" is not a price; ${FORMS}`],
  ['"{id}"', `balance.price: "{id}" is not a price; ${FORMS}`],
  ['""', `balance.price: "" is not a price; ${FORMS}`],
  ["true", `balance.price: true is not a price; ${FORMS}`],
  ["[50, 48.50]", `balance.price: a list is not a price; ${FORMS}`],
  ["{}", `balance.price.per_part is missing; add per_part`],
  ["{ part: 1 }", `balance.price: a mapping is not a price; ${FORMS}`],
  ["[]", "balance.price: a list is too small; write at least 1"],
  ["[[50]]", "balance.price[0]: a list is too small; write at least 2"],
  ["[[50.5, 48]]", "balance.price[0][0]: 50.5 is not a whole number; write a whole number"],
  ["[[50, 48.505]]", 'balance.price[0][1]: "48.505" is not an amount; write shillings like 10000.00'],
  ["[[50, 48], [50, 49]]", "balance.price[1]: prices an amount for the second time; keep one price"],
  ["{ per_part: a }", 'balance.price.per_part: "a" is not an amount; write shillings like 10000.00'],
  ["{ per_part: 1, of: sms }", "balance.price.of is not a key"],
])("refuses the price %s with one sentence at its place", (price, message) => {
  const parsed = parseAppMap(`${SMALLEST}${BALANCE}, price: ${price} }\n`, "a.yaml");

  const mistakes = "problems" in parsed ? parsed.problems.map(formatProblem) : [];
  expect(mistakes).toEqual([expect.stringContaining(`  ${message}`)]);
  expect(mistakes[0]).toMatch(/^a\.yaml:5:\d+ /);
});

test.each([
  "phone_number",
  "phone_numbers",
  "local_number",
  "plus_number",
  "amount",
  "charge",
  "message",
  "reference",
  "id",
  "app",
])("{%s} is a placeholder", (name) => {
  const parsed = parseAppMap(SMALLEST.replace("{app}/orders", `{app}/orders/{${name}}`), "a.yaml");

  expect(parsed).toMatchObject({ map: { version: 1 } });
});

const STATUS =
  'status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: done, open: pending, failed: ';

test("an order that failed may be told by a word or by the HTTP status of the question", () => {
  const parsed = parseAppMap(`${SMALLEST}${STATUS}[failed, 410, "404"] }\n`, "a.yaml");

  expect(parsed).toMatchObject({ map: { status: { failed: ["failed", 410, "404"] } } });
});

test.each([
  [
    `${STATUS}[failed, 429] }`,
    "status.failed[1]: 429 is not an HTTP status by which an order is gone; write one like 404",
  ],
  [
    `${STATUS}200 }`,
    'status.failed: 200 is not an HTTP status by which an order is gone; write one like 404 or 410, or "200" in',
  ],
  [`${STATUS}404.5 }`, "status.failed: 404.5 is not an HTTP status"],
  ["at_once: 0", "at_once: 0 is too small; write at least 1"],
  ["at_once: some", 'at_once: "some" is not'],
  [
    SMALLEST.split("\n")[2]?.replace("airtime: {", "airtime: { refused: errors,"),
    'order.airtime.refused: "errors" is not a JSONPath',
  ],
])("refuses %s with one sentence at its place", (line, message) => {
  const text = line?.startsWith("order") ? SMALLEST.replace(/^order.*$/m, line) : `${SMALLEST}${line}\n`;
  const parsed = parseAppMap(text, "a.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([expect.stringContaining(message)]);
});

test.each([
  ["failed", "paid", "paid: done, failed: [failed, done], open: pending"],
  ["review", "open", "paid: done, failed: failed, open: [pending, held], review: held"],
])("a word has one meaning: that of status.%s or of status.%s", (list, other, words) => {
  const text = `${SMALLEST}status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, ${words} }\n`;

  const parsed = parseAppMap(text, "kredo.app.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([
    expect.stringContaining(`status.${list} has a word that is also in ${other}; keep it in only one of the two`),
  ]);
});

test("an order that a person must look at is open", () => {
  const text = `${SMALLEST}status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: done, failed: failed, open: pending, review: held }\n`;

  expect(parseAppMap(text, "kredo.app.yaml")).toMatchObject({
    map: { status: { open: ["pending", "held"], review: ["held"] } },
  });
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(appMapJsonSchema(), "")).toEqual([]);
});
