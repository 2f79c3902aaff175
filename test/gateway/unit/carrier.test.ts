import { expect, test } from "vitest";
import { routeTo, type PhoneNumber, type Numbering } from "../../../src/gateway/domain/carrier.ts";
import { phone } from "../../support/gateway/world.ts";

// First and last of each block, as in libphonenumber 9.0.35, resources/metadata/254/ranges.csv.
test.each([
  ["100", "109", "airtel"],
  ["110", "119", "safaricom"],
  ["120", "120", "telkom"],
  ["140", "145", "safaricom"],
  ["180", "189", "safaricom"],
  ["700", "709", "safaricom"],
  ["710", "719", "safaricom"],
  ["720", "729", "safaricom"],
  ["730", "739", "airtel"],
  ["740", "743", "safaricom"],
  ["745", "746", "safaricom"],
  ["748", "749", "safaricom"],
  ["750", "756", "airtel"],
  ["757", "759", "safaricom"],
  ["761", "762", "airtel"],
  ["768", "769", "safaricom"],
  ["770", "779", "telkom"],
  ["780", "789", "airtel"],
  ["790", "799", "safaricom"],
])("gives %s to %s to %s", (first, last, carrier) => {
  const routes = [routeTo(numberIn(first), nothingPorted), routeTo(numberIn(last), nothingPorted)];

  expect(routes).toEqual([
    { phoneNumber: numberIn(first), carrier, ported: false },
    { phoneNumber: numberIn(last), carrier, ported: false },
  ]);
});

test.each(["121", "124", "130", "139", "146", "179", "190", "199", "744", "747", "760", "763", "766", "767"])(
  "gives %s to none of the three, even when everything is ported",
  (prefix) => {
    const routes = [routeTo(numberIn(prefix), nothingPorted), routeTo(numberIn(prefix), allPorted)];

    expect(routes).toEqual([undefined, undefined]);
  },
);

test.each<[string, Numbering["prefixes"], string]>([
  ["254747345678", { "747": "telkom" }, "telkom"],
  ["254712345678", { "71": "airtel" }, "airtel"],
  ["254722345678", { "71": "airtel" }, "safaricom"],
  ["254763123456", { "763": "safaricom", "76312": "airtel", "763123456": "telkom" }, "telkom"],
  ["254763129999", { "763": "safaricom", "76312": "airtel", "763123456": "telkom" }, "airtel"],
  ["254763999999", { "763": "safaricom", "76312": "airtel", "763123456": "telkom" }, "safaricom"],
  ["254722712254", { "712": "airtel", "254": "airtel" }, "safaricom"],
])("gives %s by the longest prefix of the settings %j to %s", (text, prefixes, carrier) => {
  const route = routeTo(phone(text), { ...nothingPorted, prefixes });

  expect(route).toEqual({ phoneNumber: text, carrier, ported: false });
});

test.each([
  ["254722000111", "airtel", true],
  ["254722000112", "safaricom", false],
  ["254747000111", "telkom", true],
])("serves %s by %s because the settings say so", (text, carrier, ported) => {
  const numbering: Numbering = {
    ported_share: 1,
    ported: { "254722000111": "airtel", "254722000112": "safaricom", "254747000111": "telkom" },
    prefixes: {},
  };

  const route = routeTo(phone(text), numbering);

  expect(route).toEqual({ phoneNumber: text, carrier, ported });
});

test.each(["254700000000", "254700000401", "254700000999"])("never ports the magic number %s by the hash", (text) => {
  const route = routeTo(phone(text), allPorted);

  expect(route).toEqual({ phoneNumber: text, carrier: "safaricom", ported: false });
});

test("ports a magic number that the settings name", () => {
  const numbering: Numbering = { ...nothingPorted, ported: { "254700000201": "airtel" } };

  const route = routeTo(phone("254700000201"), numbering);

  expect(route).toEqual({ phoneNumber: "254700000201", carrier: "airtel", ported: true });
});

test("keeps porting the same numbers, release after release", () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `254712000${String(index).padStart(3, "0")}`);

  const ported = numbers
    .map((text) => routeTo(phone(text), { ...nothingPorted, ported_share: 0.03 }))
    .filter((route) => route?.ported)
    .map((route) => [route?.phoneNumber, route?.carrier]);

  expect(ported).toEqual([
    ["254712000060", "airtel"],
    ["254712000080", "telkom"],
    ["254712000179", "telkom"],
    ["254712000190", "telkom"],
  ]);
});

test("serves the number that the documentation uses by its own carrier at the default share", () => {
  const route = routeTo(phone("254712345678"), { ...nothingPorted, ported_share: 0.03 });

  expect(route).toEqual({ phoneNumber: "254712345678", carrier: "safaricom", ported: false });
});

const nothingPorted: Numbering = { ported_share: 0, ported: {}, prefixes: {} };

const allPorted: Numbering = { ported_share: 1, ported: {}, prefixes: {} };

function numberIn(prefix: string): PhoneNumber {
  return phone(`254${prefix}345678`);
}
