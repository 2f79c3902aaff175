import { expect, test } from "vitest";
import { readAttempt } from "../../../src/gateway/account/readings/callback.ts";
import { describeKnown, describeMeaningWithCode } from "../../../src/gateway/account/readings/describe-order.ts";
import { describeCallbacks } from "../../../src/gateway/account/readings/describe-callbacks.ts";
import { readAccepted, meaningOf } from "../../../src/gateway/account/readings/request.ts";
import { isUnresolved } from "../../../src/gateway/account/transaction.ts";
import { resend } from "../../../src/gateway/engine/commands.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { buyAirtime } from "../../support/gateway/world.ts";

const ENVELOPE = String.raw`'{"status_code":402,"request_id":null}'`;

const INDENTED = String.raw`"{\n  \"request_id\": \"{{request_id}}\",\n  \"result_code\": {{result_code}}\n}"`;

const DELIVERED = "delivered, result 200";
const FAILED = "failed, result 500";
const NO_JSON = "unreadable: not JSON";

test.each<[string, string[], string, string?]>([
  ["", [DELIVERED], "delivered"],
  ["result: { outcome: failed }", [FAILED], "failed"],
  ["callback: { times: 2 }", [DELIVERED, DELIVERED], "delivered", "delivered, 2×"],
  ["callback: { times: 2, contradict: true }", [DELIVERED, FAILED], "delivered, then failed"],
  [
    "result: { outcome: rejected }, callback: { times: 2, contradict: true }",
    ["failed, result 403", DELIVERED],
    "failed, then delivered",
  ],
  ["callback: { times: 2, reverse: true }", [DELIVERED, "reversed, result 500"], "delivered, then reversed"],
  ["callback: { malformed: true }", [NO_JSON], NO_JSON],
  ["callback: { unknown_id: true }", ["unknown id"], "unknown id"],
  [
    "callback: { wrong_content_type: true }",
    ["unreadable: wrong type: text/plain"],
    "unreadable: wrong type: text/plain",
  ],
  ["callback: { malformed: true, unknown_id: true }", [NO_JSON], NO_JSON],
  ["callback: { unknown_field: true }", [DELIVERED], "delivered"],
  ["callback: { content_type: application/json; charset=utf-8 }", [DELIVERED], "delivered"],
  ["callback: { headers: { X-Trace: '1' } }", [DELIVERED], "delivered"],
  [`callback: { body: ${INDENTED} }`, [DELIVERED], "delivered"],
  [`callback: { body: '{"request_id":"{{request_id}}","result_code":500}' }`, [FAILED], "failed"],
  [`callback: { body: '{"result_code":200}' }`, ["unreadable: no request_id"], "unreadable: no request_id"],
  [
    `callback: { body: '{"request_id":"{{request_id}}"}' }`,
    ["unreadable: no result_code"],
    "unreadable: no result_code",
  ],
  ["callback: { drop: true }", [], "accepted", "never told"],
  ["connection: reset_after_accept", [DELIVERED], "delivered, under an id it never got"],
  ["ack: { status: 503 }", [DELIVERED], "delivered, under an id it never got"],
  ["connection: reset_after_accept, callback: { unknown_id: true }", ["unknown id"], "unknown id"],
  [`ack: { body: ${ENVELOPE} }`, [DELIVERED], "refused with 402", "delivered"],
  [
    `ack: { body: ${ENVELOPE} }, callback: { times: 2, reverse: true }`,
    [DELIVERED, "reversed, result 500"],
    "refused with 402",
    "delivered, then reversed",
  ],
  [`ack: { body: ${ENVELOPE} }, callback: { malformed: true }`, [NO_JSON], "refused with 402", NO_JSON],
])("the callbacks of an order with { %s } say %j: its backend knows %j", async (effect, said, known, told = known) => {
  const { account } = await scriptedWorld(rule(`then: { ${effect || "result: { outcome: success }"} }`));
  const { requestId } = buyAirtime(account, 100);

  await account.advance({ by: 600_000 }, 1_000);

  expect(readBack(account, requestId)).toEqual({ said, known, told });
});

test.each([
  [{ body: '{"request_id":"{{request_id}}","result_code":500}' }, "failed, result 500", "delivered, then failed"],
  [{ body: ' { "request_id": "{{request_id}}", "result_code": 200 } ' }, "delivered, result 200", "delivered"],
  [{ content_type: "application/json; charset=utf-8" }, "delivered, result 200", "delivered"],
  [{ content_type: "text/plain" }, "unreadable: wrong type: text/plain", "delivered"],
  [{ body: "{" }, "unreadable: not JSON", "delivered"],
  [{ body: '{"request_id":"other","result_code":500}' }, "unknown id", "delivered"],
])("a callback sent again by hand as %j says %s: its backend knows %s", async (edited, said, known) => {
  const { account } = await scriptedWorld(rule("then: { result: { outcome: success } }"));
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 600_000 }, 1_000);

  resend(account, [requestId], edited);
  await account.advance({ by: 0 }, 1_000);

  expect(readBack(account, requestId)).toMatchObject({ said: ["delivered, result 200", said], known });
});

function readBack(account: Awaited<ReturnType<typeof scriptedWorld>>["account"], requestId: string): object {
  const transaction = account.state.transactions.get(requestId);
  if (transaction === undefined || isUnresolved(transaction.progress)) throw new Error("it has no result");
  return {
    said: transaction.progress.attempts.map((one) =>
      describeMeaningWithCode(meaningOf(readAttempt(one, transaction, account.gateway), transaction)),
    ),
    known: describeKnown(readAccepted(transaction)),
    told: describeCallbacks(transaction, account.now())?.text,
  };
}
