import { expect, test } from "vitest";
import type { RequestRefused } from "../../../src/gateway/account/events.ts";
import { rowOf } from "../../../src/gateway/account/readings/requests.ts";
import { matchingRequests, matchValue } from "../../../src/control/match-requests.ts";

const AIRTIME = '{"phone_number":"254712345678","amount":"1"}';
const SMS = String.raw`{"phone_number":"254712345678","message":"Say \"amount\":\"7\" \u00e9","sender_id":"NOBODY"}`;

/** What the gateway refused, and what a test may ask for. */
const REFUSED: readonly [body: string, match: object, matches: boolean][] = [
  [AIRTIME, { phone_number: "254712345678" }, true],
  [AIRTIME, { phone_number: "2547*" }, true],
  [AIRTIME, { amount: "1" }, true],
  [AIRTIME, { amount: 1 }, true],
  [AIRTIME, { amount: "1.00", phone_number: "254712345678", status_code: 422 }, true],
  [AIRTIME, { amount: "10" }, false],
  [AIRTIME, { amount: "1", phone_number: "254700000000" }, false],
  [AIRTIME, { sender_id: "NOBODY" }, false],
  ['{"amount":1.50}', { amount: "1.5" }, true],
  ['{"amount":"1.50"}', { amount: 1.5 }, true],
  ['{"amount":"0"}', { amount: "0" }, true],
  ['{"amount":"1,000"}', { amount: "1000" }, false],
  ['{"amount":null}', { amount: "0" }, false],
  ['{ "amount" : "5", "phone_numb', { amount: "5" }, true],
  ["amount=5", { amount: "5" }, false],
  ["", { amount: "5" }, false],
  [SMS, { sender_id: "NOBODY" }, true],
  [SMS, { sender_id: "SANDBOX" }, false],
  [SMS, { message: 'Say "amount"' }, true],
  [SMS, { message: "é" }, true],
  [SMS, { amount: "7" }, false],
  [String.raw`{"sender_id":"NOBODY","message":"Say \"amount\":\"7\" \u00e9, and mor`, { message: "é, and mor" }, true],
  [String.raw`{"message":"Say \u00`, { message: "Say " }, true],
  ['{"message":"Say \\', { message: "Say " }, true],
  ['{"phone_number":"25471234', { phone_number: "25471234" }, false],
];

test.each(REFUSED)("the refused request %s and the filter %j: %s", (body, match, matches) => {
  const refused: RequestRefused = {
    kind: "refused",
    at: 0,
    requestId: "1",
    method: "POST",
    path: "/",
    content: 1,
    code: 422,
    description: "",
    body,
  };

  const found = matchingRequests([rowOf(1, refused)], matchValue.parse(match));

  expect(found).toHaveLength(matches ? 1 : 0);
});

test("every criterion that names a field of an order is tried on a refused request", () => {
  const tried = new Set(REFUSED.flatMap(([, match, matches]) => (matches ? Object.keys(match) : [])));

  expect(Object.keys(matchValue.shape).filter((key) => !tried.has(key))).toEqual(["operation"]);
});
