import { expect, test } from "vitest";
import { withoutSecrets } from "../../../src/verdict/application/ask.ts";
import { nameIds, proposePaths } from "../../../src/verdict/application/propose-paths.ts";
import { ORDER } from "../../support/order-evidence.ts";

test("proposes each text and number of an answer that was not ordered, with its path, in whatever language", () => {
  const answer = {
    sawa: true,
    nambari: 7,
    hali: "inasubiri",
    simu: "0712 000 001",
    phone_number: ORDER.phoneNumber,
    kiasi: "50.00",
    "order-uuid": "0b5c",
    note: "",
    data: [{ id: null, reference: "r1", amount: ORDER.amount }],
  };

  expect(proposePaths(answer, ORDER)).toEqual(["$.nambari", "$.hali", '$["order-uuid"]', "$.data[0].reference"]);
});

test("an answer with many values names a few of them", () => {
  const answer = { items: Array.from({ length: 300 }, (_, nth) => ({ sku: `s${nth}` })) };

  expect(nameIds(answer, ORDER)).toMatch(/^\$\.items\[0\]\.sku or .* or \$\.items\[4\]\.sku or 295 other values$/);
  expect(nameIds({ id: 7 }, ORDER)).toBe("$.id");
  expect(nameIds({}, ORDER)).toBeUndefined();
});

test("an answer that is no object has nothing to propose", () => {
  expect([undefined, null, "id", 7].flatMap((answer) => proposePaths(answer, ORDER))).toEqual([]);
});

test("shows an answer without its secrets", () => {
  const text = withoutSecrets('{"id":7,"access_token":"a\\"b","card":{"ApiKey" : "c"}}');

  expect(text).toBe('{"id":7,"access_token":"…","card":{"ApiKey" : "…"}}');
});
