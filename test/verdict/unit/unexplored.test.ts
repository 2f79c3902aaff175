import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { jsonPathValue } from "../../../src/verdict/application/json-path.ts";
import { describeUnexplored } from "../../../src/verdict/exploration/unexplored.ts";
import { FAULTS } from "../../../src/verdict/faults.ts";

/** An app map that says only where the application is. */
const BARE_MAP = { version: 1 as const, application: "http://localhost:3000", order: {}, callbacks: {} };
const AT_APP = { method: "GET", url: "{app}" } as const;
const json_path = jsonPathValue.parse("$.it");
const FULL = {
  ...BARE_MAP,
  order: {
    airtime: { request: { ...AT_APP, json: { amount: "{amount}", as: "{reference}" } } },
    sms: { request: { ...AT_APP, json: { text: "{message}", as: "{reference}" } } },
  },
  status: { request: AT_APP, json_path, paid: ["paid"], failed: ["failed"], open: ["open"] },
  balance: { request: AT_APP, json_path, price: { perPart: cents(100) } },
  books: { request: AT_APP, list: json_path, request_id: json_path, amount: json_path },
  callbacks: { airtime: "{app}/hooks", sms: "{app}/hooks" },
  restart: { command: "true" },
} as const;

test.each([
  ["restart", "restarts (no restart in the map)"],
  ["status", "what the application says of an order (no status)"],
  ["balance", "money (no balance)"],
  ["books", "books (no books)"],
])("what a map leaves unchecked without %s is named", (key, words) => {
  expect(describeUnexplored({ ...FULL, [key]: undefined }, 5_000)).toEqual([words, "timers longer than 5s"]);
});

const OF_AMOUNT = { balance: { ...FULL.balance, price: { of: "amount" as const, hundredths: 10_000 } } };
const NO_PRICE_OF_PARTS = "money of an SMS of several parts (no price for it in balance)";

test.each([
  [OF_AMOUNT, [NO_PRICE_OF_PARTS]],
  [{ ...OF_AMOUNT, order: { airtime: FULL.order.airtime } }, ["sms (no order.sms)"]],
  [{ callbacks: {} }, ["callbacks (no callbacks)"]],
  [{ callbacks: { airtime: "{app}/hooks" } }, ["callbacks of sms (no callbacks.sms)"]],
  [{ at_once: 3 }, ["more than 3 orders at once (at_once in the map)"]],
  [{ callbacks: { sms: "{app}/hooks" } }, ["callbacks of airtime (no callbacks.airtime)"]],
  [{ order: { airtime: FULL.order.airtime } }, ["sms (no order.sms)"]],
  [
    { order: { ...FULL.order, airtime: { request: AT_APP } } },
    ["amounts (no {amount} in order.airtime)", "the same order twice (no {reference} in order.airtime)"],
  ],
  [
    { order: { ...FULL.order, sms: { request: { ...AT_APP, json: { as: "{reference}" } } } } },
    ["texts (no {message} in order.sms)"],
  ],
])("what a map does not pass on is named: %j", (changes, words) => {
  expect(describeUnexplored({ ...FULL, ...changes }, 5_000).slice(0, -1)).toEqual(words);
});

test("nothing but the longest timers is left out by a map that has everything", () => {
  expect(describeUnexplored(FULL, 7_000)).toEqual(["timers longer than 7s"]);
  expect(describeUnexplored(FULL, 11_356)).toEqual(["timers longer than 11s"]);
  expect(describeUnexplored(FULL, 250.4)).toEqual(["timers longer than 250ms"]);
});

test("what was not chosen is told by its number", () => {
  const faults = FAULTS.map(({ id }) => id);

  expect(describeUnexplored(FULL, 5_000, faults.slice(1)).at(-1)).toMatch(/^1 fault and \d+ trials not chosen$/);
  expect(describeUnexplored(FULL, 5_000, faults).at(-1)).toMatch(/^\d+ trials not chosen$/);
});
