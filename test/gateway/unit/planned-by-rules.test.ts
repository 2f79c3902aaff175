import { expect, test } from "vitest";
import type { AppliedRules } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { Order } from "../../../src/gateway/domain/order.ts";
import {
  planByRules,
  recordRules,
  refusalBy,
  type RefusedByRule,
  type RuleDecision,
} from "../../../src/gateway/scenario/effects.ts";
import type { PlanContext, RequestOutcome } from "../../../src/gateway/scenario/effects/effect.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { asking, NOW, running, scenarioWith, sms as smsSubject } from "../../support/gateway/ask.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const { gateway } = gatewayOptions.parse({ latency_ms: 2_000 });
const TOP_UP = airtime(100);
/** Three parts. */
const LONG = sms("a".repeat(400));
const FAILED = { outcome: "failed", resultCode: 500 };

test.each<[string, Order, object]>([
  ["outcome: rejected", TOP_UP, { result: { outcome: "rejected", resultCode: 403 }, charge: 0 }],
  ["outcome: success, result_desc: Done", TOP_UP, { result: { resultCode: 200, resultDesc: "Done" }, charge: 241 }],
  ["result_code: 404", TOP_UP, { result: { outcome: "not_on_network", resultCode: 404 }, charge: 0 }],
  ["result_code: 777", TOP_UP, { result: { outcome: "failed", resultCode: 777 }, charge: 0 }],
  ["result_code: 200", TOP_UP, { result: { outcome: "success", resultCode: 200 }, charge: 241 }],
  ["result_desc: Done", TOP_UP, { result: { outcome: "success", resultCode: 200, resultDesc: "Done" }, charge: 241 }],
  ["charge: 50%", TOP_UP, { result: { outcome: "success" }, charge: 121 }],
  ["charge: 1", TOP_UP, { charge: 100 }],
  ["result_code: 500, charge: 0.5", TOP_UP, { result: FAILED, charge: 50 }],
  ["carrier: airtel", TOP_UP, { result: { outcome: "success" }, charge: 241, settleAfter: 2_000 }],
  ["delay: 5s", TOP_UP, { settleAfter: 5_000 }],
  ["hold_until: 30s", TOP_UP, { settleAfter: 20_000 }],
  ["hold_until: 11s", TOP_UP, { settleAfter: 2_000 }],
  ["delay: 25s, hold_until: 30s", TOP_UP, { settleAfter: 25_000 }],
  ["stuck: true", TOP_UP, { settleAfter: "never", charge: 241 }],
  ["delivered_parts: 2", TOP_UP, { result: { outcome: "success" }, charge: 241, delivered: undefined }],
  ["delivered_parts: 9", LONG, { result: { outcome: "success" }, charge: 240, delivered: undefined }],
  ["delivered_parts: [3, 1]", LONG, { result: FAILED, charge: 160, delivered: [1, 3] }],
  ["lost_parts: [4]", LONG, { result: { outcome: "success" }, charge: 240, delivered: undefined }],
  [
    "delivered_parts: 1",
    LONG,
    { result: { ...FAILED, resultDesc: "Message partly delivered: 1 of 3 parts." }, charge: 80, delivered: [1] },
  ],
  ["delivered_parts: 1, result_code: 403", LONG, { result: { resultCode: 403, outcome: "rejected" }, charge: 80 }],
  ["delivered_parts: 1, charge: 100%", LONG, { result: FAILED, charge: 240 }],
])("plans { %s } as the rule says", (result, order, plan) => {
  expect(planned(`result: { ${result} }`, order)).toMatchObject(plan);
});

test.each([
  ["delay: 1s", { deliveries: [{ after: 1_000 }] }],
  ["times: 3", { deliveries: [{ after: 0 }, { after: 0 }, { after: 0 }] }],
  ["times: 3, gap: 2s, delay: 1s", { deliveries: [{ after: 1_000 }, { after: 3_000 }, { after: 5_000 }] }],
  ["drop: true", { deliveries: [], dropped: 'the rule "r" of the scenario s drops it' }],
  ["drop: false, reorder: 2", { deliveries: [{ after: 0 }], reorder: 2, before_ack: false }],
  ["times: 1", { reorder: 0, before_ack: false }],
])("plans the callback { %s }", (callback, plan) => {
  expect(planned(`callback: { ${callback} }`)).toMatchObject({ callback: plan });
});

test("a callback before the acknowledgment needs its result at once", () => {
  expect(planned("callback: { before_ack: true }")).toMatchObject({ settleAfter: 0, callback: { before_ack: true } });
  expect(planned("callback: { before_ack: false }")).toMatchObject({ settleAfter: 2_000 });
});

test("only the second delivery and those after it contradict the first, and each has the scripted content", () => {
  const { callback } = planned("callback: { times: 3, contradict: true, unknown_id: true, malformed: false, body: x }");

  expect(callback?.deliveries.map(({ scripted }) => scripted)).toEqual([
    { unknown_id: true, body: "x" },
    { contradict: true, unknown_id: true, body: "x" },
    { contradict: true, unknown_id: true, body: "x" },
  ]);
});

test("what no rule sets is planned as without rules", () => {
  expect(planned("wallet: 5")).toEqual({
    settleAfter: 2_000,
    result: {
      outcome: "success",
      resultCode: 200,
      resultDesc: "Airtime top-up of KES 100.00 to 254712345678 was successful.",
    },
    charge: 241,
  });
});

test.each([
  ["refuse: 503", "refused", {}],
  ["refuse: { status: 503, delay: 2s }", "refused", { ack: { delay: 2_000 } }],
  [
    "refuse: { status: 503, headers: { X-A: b }, content_type: text/html }",
    "refused",
    { ack: { delay: 0, headers: { "X-A": "b" }, content_type: "text/html" } },
  ],
  ["ack: { status: 503, body: x }", "accepted", { ack: { delay: 0, status: 503, body: "x" } }],
  ["ack: { status: 503, delay: 3s }", "refused", { ack: { delay: 3_000 } }],
  ["ack: { status: 503, delay: 3s }", "cut", { ack: { delay: 3_000 } }],
  ["connection: reset_after_accept", "refused", {}],
  ["connection: reset_before_accept", "refused", { breakage: "reset" }],
  ["connection: drip_before_accept", "cut", { breakage: "drip" }],
  ["wallet: 5", "accepted", { wallet: 500 }],
] as const)("{ %s } changes the answer to a request that was %s", (then, outcome, answer) => {
  expect(answerBy(decisionOf(then), outcome)).toEqual(answer);
});

test("a later rule's delay of the refusal does not replace what an earlier one says of the acknowledgment", () => {
  const active = running(
    scenarioWith(
      "name: a, then: { refuse: { status: 500, delay: 1s, headers: { X-A: b } } }, continue: true",
      "name: b, then: { ack: { delay: 9s, headers: { X-B: c } } }",
    ),
  );
  const decision = evaluateRules([active], asking(smsSubject()));

  expect(answerBy(decision, "refused")).toEqual({
    ack: { delay: 1_000, headers: { "X-A": "b" } },
  });
});

test.each([
  ["refuse: 403", { code: 403, details: {}, answer: undefined }],
  [
    "refuse: { status: 422, description: No, validation_errors: { a: [b] } }",
    { code: 422, details: { description: "No", validationErrors: { a: ["b"] } } },
  ],
  ["refuse: { status: 200, body: x }", { code: 200, answer: "x" }],
])("{ %s } refuses the request", (then, refusal) => {
  expect(refusalOf(then)).toMatchObject(refusal);
});

test("a rule without refuse refuses nothing", () => {
  expect(refusalOf("ack: { delay: 1s }")).toBeUndefined();
});

/** Ten seconds after the scenario started. */
function planned(then: string, order: Order = TOP_UP, changes: Partial<PlanContext> = {}) {
  return planByRules(order, decisionOf(then), {
    at: NOW + 10_000,
    gateway,
    route: { phoneNumber: order.phoneNumber, carrier: "safaricom", ported: false },
    draws: asking(smsSubject()).draws,
    hold: cents(order.operation === "sms" ? 240 : 241),
    outcome: "success",
    ...changes,
  });
}

function decisionOf(then: string) {
  return evaluateRules([running(scenarioWith(`name: r, then: { ${then} }`))], asking(smsSubject()));
}

/** How the rules change the answer. */
function answerBy(decision: RuleDecision, outcome: RequestOutcome): Partial<AppliedRules> {
  const recorded: Partial<AppliedRules> = { ...recordRules(decision, asking(smsSubject()).draws, outcome) };
  const { fired: _fired, counters: _counters, ...answer } = recorded;
  return answer;
}

function refusalOf(then: string): RefusedByRule | undefined {
  return refusalBy(decisionOf(then), asking(smsSubject()).draws, { at: NOW, gateway }, smsSubject());
}
