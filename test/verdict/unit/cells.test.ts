import { expect, test } from "vitest";
import { FAULTS } from "../../../src/verdict/faults.ts";
import { cellOf, describeFaults, describePoint, faultsAt, scenarioOf } from "../../../src/verdict/exploration/cell.ts";
import { cell, DETAILS, FIRST, placed, RETRY } from "../../support/explored-cells.ts";

test("a point is called by its place among the requests of its kind", () => {
  const points = [1, 2, 3, 4, 11, 20, 22].map((nth) => describePoint({ ...DETAILS, nth }).split(" ")[0]);

  expect(points).toEqual(["1st", "2nd", "3rd", "4th", "11th", "20th", "22nd"]);
  expect([FIRST, RETRY, DETAILS].map(describePoint)).toEqual([
    "1st airtime request",
    "2nd airtime request",
    "1st account-details request (airtime)",
  ]);
});

test.each([
  [[], "sms-plain", "nothing goes wrong"],
  [
    [placed("reset-before-accept"), placed("result-failed", RETRY)],
    "airtime-1-reset-before-accept-and-airtime-2-result-failed",
    "the connection is reset, and the order is not accepted, " +
      "and the carrier fails the order (2nd airtime request)",
  ],
  [
    [placed("reset-before-accept", DETAILS)],
    "airtime-details-1-reset-before-accept",
    "the connection is reset (1st account-details request (airtime))",
  ],
  [[placed("credentials-revoked")], "airtime-1-credentials-revoked", "the credentials are revoked between two orders"],
  [
    [placed("result-failed"), placed("result-failed", { ...FIRST, operation: "sms" })],
    "airtime-1-result-failed-and-sms-1-result-failed",
    "the carrier fails the order (1st airtime request), and the carrier fails the order (1st sms request)",
  ],
])("the faults %j are named and told", (faults, id, words) => {
  const one = cellOf("sms", faults);

  expect({ id: one.id, words: describeFaults(one) }).toEqual({ id, words });
});

test("every fault is possible at the first request, only those of a request at a retry, and at details those that tell of it", () => {
  const [first, retry = [], details] = [FIRST, RETRY, DETAILS].map((point) =>
    faultsAt(point).map(({ fault }) => fault.id),
  );

  expect(first).toEqual(FAULTS.map(({ id }) => id));
  expect(first?.filter((id) => !retry.includes(id))).toEqual([
    "wallet-empty",
    "credentials-revoked",
    "credentials-revoked-throughout",
  ]);
  expect(details).toEqual(FAULTS.flatMap(({ id, atDetails }) => (atDetails === undefined ? [] : [id])));
});

test("each order's faults happen to its own requests, by its phone number; a question for details, or the only order, has none", () => {
  const failed = { faults: [placed("result-failed")] };
  const details = { faults: [placed("reset-before-accept", { ...DETAILS, nth: 2 })] };

  const scenario = scenarioOf([
    { cell: failed, phoneNumber: "254712000001" },
    { cell: { faults: [placed("reset-after-accept", RETRY)] }, phoneNumber: "254712000002" },
    { cell: details, phoneNumber: "254712000003" },
    { cell: failed },
  ]);

  expect(scenario.rules?.map(({ when }) => when)).toEqual([
    { phone_number: "254712000001", nth: 1 },
    { phone_number: "254712000002", nth: 2 },
    { operation: "account-details", nth: 2 },
    { operation: "airtime", nth: 1 },
  ]);
  expect(scenario.rules?.[3]?.name).toBe("1st airtime request: the carrier fails the order");
  expect(scenario.rules?.[0]).toEqual({
    name: "254712000001, 1st airtime request: the carrier fails the order",
    when: { phone_number: "254712000001", nth: 1 },
    then: { result: { outcome: "failed" } },
    continue: true,
  });
});

test("what changes the account is set up at its beginning, or happens between its two orders", () => {
  const [empty, revoked] = ["wallet-empty", "credentials-revoked"].map((id) => scenarioOf([{ cell: cell(id) }]));

  expect(empty).toEqual({ version: 1, name: "explored", setup: { wallet: { balance: "0" } } });
  expect(revoked).toEqual({
    version: 1,
    name: "explored",
    timeline: [{ at: "1ms", do: { credentials: "revoked" } }],
  });
});
