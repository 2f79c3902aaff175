import { expect, test } from "vitest";
import { FAULTS } from "../../../src/verdict/faults.ts";
import {
  cellOf,
  describeFaults,
  describePoint,
  faultsAt,
  isAtDetails,
  isBetweenOrders,
  isOfAccount,
  ruleNameOf,
  scenarioOf,
} from "../../../src/verdict/exploration/cell.ts";
import { specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import { BARE_MAP, cell, DETAILS, FIRST, placed, RETRY } from "../../support/explored-cells.ts";

test.each([
  [FIRST, "1st airtime request"],
  [RETRY, "2nd airtime request (retry)"],
  [{ ...FIRST, operation: "sms", nth: 3 }, "3rd sms request (retry)"],
  [{ ...FIRST, nth: 4 }, "4th airtime request (retry)"],
  [{ ...FIRST, nth: 11 }, "11th airtime request (retry)"],
  [{ ...FIRST, nth: 20 }, "20th airtime request (retry)"],
  [{ ...FIRST, nth: 22 }, "22nd airtime request (retry)"],
  [DETAILS, "1st account-details request (airtime)"],
  [{ ...DETAILS, nth: 2 }, "2nd account-details request (airtime)"],
] as const)("the point %j is called %s", (point, words) => {
  expect(describePoint(point)).toBe(words);
});

test.each([
  [[], "sms-plain"],
  [[placed("result-failed")], "airtime-1-result-failed"],
  [[placed("reset-before-accept", DETAILS)], "airtime-details-1-reset-before-accept"],
  [
    [placed("reset-before-accept"), placed("result-failed", RETRY)],
    "airtime-1-reset-before-accept-and-airtime-2-result-failed",
  ],
])("the cell of %j is named for its faults", (faults, id) => {
  expect(cellOf("sms", faults).id).toBe(id);
});

test.each([
  [[], "nothing goes wrong"],
  [[placed("result-failed")], "the carrier fails the order"],
  [
    [placed("reset-before-accept"), placed("result-failed", RETRY)],
    "the connection is reset, and the order is not accepted, " +
      "and the carrier fails the order (2nd airtime request (retry))",
  ],
  [[placed("reset-before-accept", DETAILS)], "the connection is reset (1st account-details request (airtime))"],
  [[placed("credentials-revoked")], "the credentials are revoked between two orders"],
  [
    [placed("result-failed"), placed("result-failed", { ...FIRST, operation: "sms" })],
    "the carrier fails the order (1st airtime request), and the carrier fails the order (1st sms request)",
  ],
])("the faults %j are told as: %s", (faults, words) => {
  expect(describeFaults(cellOf("airtime", faults))).toBe(words);
});

test("a special trial is told in its own words", () => {
  const words = specialCells("sms", BARE_MAP).map(describeFaults);

  expect(words).toContain("five customers order at once, and the carrier fails one of the orders");
});

test("every fault is possible at the first request, only those of a request at a retry, and at details those that tell of it", () => {
  const idsAt = [FIRST, RETRY, DETAILS].map((point) => faultsAt(point).map(({ fault }) => fault.id));

  const [first, retry = [], details] = idsAt;
  expect(first).toEqual(FAULTS.map(({ id }) => id));
  expect(first?.filter((id) => !retry.includes(id))).toEqual([
    "wallet-empty",
    "credentials-revoked",
    "credentials-revoked-throughout",
  ]);
  expect(details).toEqual(FAULTS.flatMap(({ id, atDetails }) => (atDetails === undefined ? [] : [id])));
  expect(faultsAt(RETRY).every(({ point }) => point === RETRY)).toBe(true);
});

test("each order's faults happen to its own requests, by its phone number", () => {
  const orders = [
    { cell: cell("result-failed"), phoneNumber: "254712000001" },
    { cell: { faults: [placed("reset-after-accept", RETRY)] }, phoneNumber: "254712000002" },
  ];

  expect(scenarioOf(orders)).toEqual({
    version: 1,
    name: "explored",
    rules: [
      {
        name: "254712000001, 1st airtime request: the carrier fails the order",
        when: { phone_number: "254712000001", nth: 1 },
        then: { result: { outcome: "failed" } },
        continue: true,
      },
      {
        name: "254712000002, 2nd airtime request (retry): the connection is reset, and the order is accepted",
        when: { phone_number: "254712000002", nth: 2 },
        then: { connection: "reset_after_accept" },
        continue: true,
      },
    ],
  });
});

test("a fault at account details is matched by the operation alone, because such a request has no phone number", () => {
  const faults = [placed("reset-before-accept", { ...DETAILS, nth: 2 })];

  expect(scenarioOf([{ cell: { faults }, phoneNumber: "254712000001" }]).rules).toMatchObject([
    { when: { operation: "account-details", nth: 2 } },
  ]);
});

test("an order without a phone number is matched as the only one of its operation", () => {
  const one = placed("result-failed");

  expect(scenarioOf([{ cell: { faults: [one] } }]).rules).toMatchObject([
    { name: "1st airtime request: the carrier fails the order", when: { operation: "airtime", nth: 1 } },
  ]);
  expect(ruleNameOf(one)).toBe("1st airtime request: the carrier fails the order");
});

test("what changes the account is set up at its beginning, or happens between its two orders", () => {
  expect(scenarioOf([{ cell: cell("wallet-empty") }])).toEqual({
    version: 1,
    name: "explored",
    setup: { wallet: { balance: "0" } },
  });
  expect(scenarioOf([{ cell: cell("credentials-revoked") }])).toEqual({
    version: 1,
    name: "explored",
    timeline: [{ at: "1ms", do: { credentials: "revoked" } }],
  });
});

test.each([
  ["result-failed", false, false],
  ["wallet-empty", true, false],
  ["credentials-revoked", true, true],
  ["credentials-revoked-throughout", true, false],
])("%s changes the whole account: %s, and needs an earlier order: %s", (id, changesAccount, needsEarlier) => {
  expect({ isOfAccount: isOfAccount(cell(id)), isBetweenOrders: isBetweenOrders(cell(id)) }).toEqual({
    isOfAccount: changesAccount,
    isBetweenOrders: needsEarlier,
  });
});

test("a cell is at account details as soon as one of its faults is", () => {
  const faults = [placed("reset-before-accept"), placed("reset-before-accept", DETAILS)];

  expect(isAtDetails(cellOf("airtime", faults))).toBe(true);
  expect(isAtDetails(cell("reset-before-accept"))).toBe(false);
});
