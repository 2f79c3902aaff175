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

test("a price may be what the gateway charged, and is the amount by default", () => {
  const balance = 'balance: { request: { url: "{app}/balance" }, json_path: $.left';

  const parsed = ["", ', price: "{charge}"'].map((price) => parseAppMap(`${SMALLEST}${balance}${price} }\n`, "a.yaml"));

  expect(parsed).toMatchObject([
    { map: { balance: { price: "{amount}" } } },
    { map: { balance: { price: "{charge}" } } },
  ]);
});

test.each([
  "{amount}+2",
  "{amount}*1.1",
  "abc",
  "102 %",
  "102% {amount}",
  "102% of {message}",
  "-5",
  "1.234",
  "{id}",
  "",
])("refuses the price %j at its place", (price) => {
  const balance = 'balance: { request: { url: "{app}/balance" }, json_path: $.left';

  const parsed = parseAppMap(`${SMALLEST}${balance}, price: "${price}" }\n`, "a.yaml");

  const mistakes = "problems" in parsed ? parsed.problems.map(formatProblem) : [];
  expect(mistakes).toEqual([
    `a.yaml:${SMALLEST.split("\n").length}:73  balance.price: ${JSON.stringify(price)} is not a price; write "{amount}", "{charge}", a percentage like "102%" or "102% of {charge}", or an amount like "50.00"`,
  ]);
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

test("a word has one meaning", () => {
  const text = `${SMALLEST}status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: done, failed: [failed, done], open: pending }\n`;

  const parsed = parseAppMap(text, "kredo.app.yaml");

  expect("problems" in parsed ? parsed.problems.map(formatProblem) : []).toEqual([
    expect.stringContaining("status.failed has a word that is also in paid; keep it in only one of the two"),
  ]);
});

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(appMapJsonSchema(), "")).toEqual([]);
});
