import { expect, test } from "vitest";
import { type AnswerReading, readAnswer } from "../../../src/gateway/account/readings/answer.ts";
import { type CallbackReading, readCallback } from "../../../src/gateway/account/readings/callback.ts";
import { describeKnown } from "../../../src/gateway/account/readings/describe-order.ts";
import type { RequestReading } from "../../../src/gateway/account/readings/request.ts";

const ACK = '{"status_code":200,"description":"Operation successful.","request_id":"one"}';

test.each<[status: number, body: string, read: string]>([
  [200, ACK, "accepted one"],
  [200, `\uFEFF${ACK}`, "accepted one"],
  [201, ACK, "accepted one"],
  [200, '{"request_id":"one"}', "accepted one"],
  [200, '{"status_code":202,"request_id":"one"}', "accepted one"],
  [200, '{"status_code":200,"request_id":"one","validation_errors":null}', "accepted one"],
  [200, '{"status_code":200}', "unclear: JSON that is no acknowledgment"],
  [200, '{"status_code":200,"request_id":7}', "unclear: JSON that is no acknowledgment"],
  [200, '{"status_code":"200","request_id":"one"}', "unclear: JSON that is no acknowledgment"],
  [200, "[]", "unclear: HTTP 200 with a body that is not JSON"],
  [200, "null", "unclear: HTTP 200 with a body that is not JSON"],
  [200, "<html>", "unclear: HTTP 200 with a body that is not JSON"],
  [200, "", "unclear: HTTP 200 without a body"],
  [204, "", "unclear: HTTP 204 without a body"],
  [302, "", "unclear: HTTP 302"],
  [429, ACK, "unclear: HTTP 429"],
  [402, '{"status_code":402,"request_id":"one"}', "refused 402"],
  [402, '{"status_code":402,"request_id":null}', "refused 402"],
  [200, '{"status_code":402,"request_id":"one"}', "refused 402"],
  [422, '{"validation_errors":{"amount":["x"]}}', "refused 422"],
  [422, '{"status_code":null,"validation_errors":{"amount":["x"]}}', "refused 422"],
  [422, '{"validation_errors":null}', "unclear: HTTP 422"],
  [200, '{"validation_errors":{"amount":["x"]}}', "refused 422"],
  [200, '{"validation_errors":{"amount":["x"]},"request_id":"one"}', "refused 422"],
  [500, '{"status_code":500}', "refused 500"],
  [502, '{"status_code":502}', "unclear: HTTP 502"],
  [503, '{"status_code":503}', "unclear: HTTP 503"],
  [504, "<html>", "unclear: HTTP 504"],
  [402, "<html>", "unclear: HTTP 402"],
  [402, '{"error":"no money"}', "unclear: HTTP 402"],
])("a client reads %i with %s as %s", (status, body, read) => {
  expect(inWords(readAnswer({ status, body }))).toBe(read);
});

function inWords(answer: AnswerReading): string {
  if (answer.says === "accepted") return `accepted ${answer.id}`;
  return answer.says === "refused" ? `refused ${answer.code}` : `${answer.says}: ${answer.why}`;
}

const RESULT = { request_id: "one", charge: 47.5, account_balance: 952.5, result_code: 200, result_desc: "Done." };

test.each<[type: string, body: unknown, read: string]>([
  ["application/json", RESULT, "delivered one 200 47.5"],
  ["application/json; charset=utf-8", RESULT, "delivered one 200 47.5"],
  ["Application/JSON;charset=utf-8", RESULT, "delivered one 200 47.5"],
  ["application/json", { ...RESULT, result_code: "200", charge: "47.50" }, "delivered one 200 47.5"],
  ["application/json", `\uFEFF${JSON.stringify(RESULT)}`, "delivered one 200 47.5"],
  ["application/json", { ...RESULT, result_code: 500, charge: 0 }, "failed one 500 0"],
  ["application/json", { ...RESULT, charge: undefined }, "delivered one 200 undefined"],
  ["application/json", { ...RESULT, result_code: undefined }, "unreadable: no result_code"],
  ["application/json", { ...RESULT, result_code: "done" }, "unreadable: no result_code"],
  ["application/json", { ...RESULT, request_id: 1 }, "unreadable: no request_id"],
  ["application/json", [RESULT], "unreadable: not JSON"],
  ["application/json", "half of it", "unreadable: not JSON"],
  ["application/jsonp", RESULT, "unreadable: wrong type: application/jsonp"],
  ["text/plain", RESULT, "unreadable: wrong type: text/plain"],
  ["", RESULT, "unreadable: wrong type: none"],
])("a receiver reads a callback of type %j with %j as %s", (type, body, read) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);

  expect(callbackInWords(readCallback({ headers: { "Content-Type": type }, body: text }))).toBe(read);
});

test("a receiver reads a callback however its JSON is indented", () => {
  const headers = { "content-type": "application/json" };

  expect(readCallback({ headers, body: JSON.stringify(RESULT, undefined, 2) })).toEqual(
    readCallback({ headers, body: JSON.stringify(RESULT) }),
  );
});

function callbackInWords(reading: CallbackReading): string {
  if (reading.says === "unreadable") return `unreadable: ${reading.why}`;
  return `${reading.says} ${reading.id} ${reading.code} ${reading.charge}`;
}

const ACCEPTED: AnswerReading = { says: "accepted", status: 200, id: "one" };
const DELIVERED = { says: "delivered", code: 200 } as const;
const FAILED = { says: "failed", code: 500 } as const;

test.each<[RequestReading["known"], AnswerReading, RequestReading["acknowledged"], string]>([
  ["nothing", { says: "none", why: "connection reset" }, [], "nothing"],
  ["accepted", ACCEPTED, [], "accepted"],
  ["refused", { says: "refused", code: 402 }, [], "refused with 402"],
  ["delivered", ACCEPTED, [DELIVERED], "delivered"],
  ["delivered_then_failed", ACCEPTED, [DELIVERED, FAILED], "delivered, then failed"],
  ["delivered_then_reversed", ACCEPTED, [DELIVERED, FAILED], "delivered, then reversed"],
  ["unreadable", ACCEPTED, [{ says: "unreadable", why: "not JSON" }], "unreadable: not JSON"],
  ["unknown_id", ACCEPTED, [{ says: "unknown_id" }], "unknown id"],
  ["never_received", { says: "none", why: "cut" }, [DELIVERED], "delivered, under an id it never got"],
])("what a backend knows is %s in words", (known, answer, acknowledged, words) => {
  expect(describeKnown({ known, answer, acknowledged })).toBe(words);
});
