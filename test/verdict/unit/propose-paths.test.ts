import { expect, test } from "vitest";
import { withoutSecrets } from "../../../src/verdict/application/ask.ts";
import { proposePaths } from "../../../src/verdict/application/propose-paths.ts";

const ANSWER = {
  paid: true,
  orderId: 7,
  status: "open",
  "order-uuid": "0b5c",
  data: [{ id: null, reference: "r1", payment_status: "due" }],
};

test.each([
  ["id", ["$.orderId", '$["order-uuid"]', "$.data[0].reference"]],
  ["status", ["$.status", "$.data[0].payment_status"]],
] as const)("proposes what looks like %s in an answer, each with its path", (what, paths) => {
  expect(proposePaths(ANSWER, what)).toEqual(paths);
});

test("an answer that is no object has nothing to propose", () => {
  expect([undefined, null, "id", 7].flatMap((answer) => proposePaths(answer, "id"))).toEqual([]);
});

test("shows an answer without its secrets", () => {
  const text = withoutSecrets('{"id":7,"access_token":"a\\"b","card":{"ApiKey" : "c"}}');

  expect(text).toBe('{"id":7,"access_token":"…","card":{"ApiKey" : "…"}}');
});
