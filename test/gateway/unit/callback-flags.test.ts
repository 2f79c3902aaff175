import { expect, test } from "vitest";
import { bodyAs, reportAs, scriptedKeys } from "../../../src/gateway/scenario/effects/callback-flags.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { sms } from "../../support/gateway/world.ts";

const { gateway } = gatewayOptions.parse({});
const REPORT = {
  requestId: "11111111-2222-4333-8444-0123456789ab",
  outcome: "succeeded",
  resultCode: 200,
  resultDesc: "Message delivered.",
  charge: 80,
} as const;

test.each([
  [{}, {}],
  [{ malformed: true, wrong_content_type: true }, {}],
  [{ unknown_id: true }, { requestId: "11111111-2222-4333-8444-fedcba987654" }],
  [{ contradict: true }, { resultCode: 500, resultDesc: "Message failed." }],
  [
    { contradict: true, unknown_id: true },
    { requestId: "11111111-2222-4333-8444-fedcba987654", resultCode: 500, resultDesc: "Message failed." },
  ],
])("%j changes in the report of a success no more than %j", (scripted, changes) => {
  expect(reportAs(REPORT, scripted, { order: sms("Habari"), gateway })).toEqual({ ...REPORT, ...changes });
});

test.each([
  ['{"request_id":"one","result_code":200}', '{"request_id":"one","result_code":200,"currency":"KES"}'],
  ['{"request_id":"one","result_code":"200"}', '{"request_id":"one","result_code":"200","currency":"KES"}'],
  ["paid", "paid"],
])("an unknown field comes after those of %s, as they are", (body, changed) => {
  expect(bodyAs(body, { unknown_field: true })).toBe(changed);
});

test("names the flags that are set and the content", () => {
  expect(scriptedKeys({ body: "", malformed: true, contradict: false })).toEqual(["malformed", "body"]);
});
