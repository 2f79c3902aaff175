import { expect, test } from "vitest";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";

test.each([
  ["probability: 0", "probability: -0.1"],
  ["probability: 1", "probability: 1.1"],
  ["first: 1000000000", "first: 1000000001"],
  ["every: 1", "every: 0"],
  ["during: { from: 1s, to: 1001ms }", "during: { from: 1s, to: 1s }"],
  ["during: { from: 0s }", "during: { to: 0s }"],
  ['between: { from: "23:59", to: "00:00" }', 'between: { from: "23:59", to: "23:59" }'],
  ['between: { from: "00:00", to: "24:00" }', 'between: { from: "00:00", to: "24:01" }'],
  ['between: { from: "00:00", to: "01:00", days: sun }', 'between: { from: "00:00", to: "01:00", days: [] }'],
  ['phone_number: "2547*"', 'phone_number: "+2547*"'],
  ["phone_number: 254112345678", "phone_number: 254212345678"],
  ["phone_number: [254712345678]", "phone_number: []"],
  ["not: { carrier: airtel }", "not: {}"],
  ["first: 1, per: account", "per: account"],
  ["first: 1, of: { operation: sms }", "of: { operation: sms }"],
  ["operation: [airtime, sms], first: 1, per: sender_id", "operation: airtime, first: 1, per: sender_id"],
  ["operation: sms, first: 1, per: phone_number", "operation: account-details, first: 1, per: phone_number"],
  ["operation: [sms, account-details], sender_id: AAA", "operation: [airtime, account-details], sender_id: AAA"],
])("a rule may be for %s, not for %s", (most, tooMuch) => {
  const [one, other] = [most, tooMuch].map((when) => isTaken(`when: { ${when} }, then: {}`));

  expect({ one, other }).toEqual({ one: true, other: false });
});

test.each([
  ["refuse: 300", "refuse: 299"],
  ["refuse: 599", "refuse: 600"],
  ["refuse: { status: 200, body: x }", "refuse: { status: 200, description: x }"],
  ["refuse: { status: 200, body: x }", "refuse: { status: 199, body: x }"],
  ["refuse: { status: 206, body: x }", "refuse: { status: 205, body: x }"],
  ["refuse: { status: 500, body: '', delay: 1s }", "refuse: { status: 500, body: '', validation_errors: { a: [b] } }"],
  ["refuse: { status: 500, validation_errors: { a: [b] } }", "refuse: { status: 500, validation_errors: { a: [] } }"],
  ["ack: { status: 200 }", "ack: { status: 199 }"],
  ["ack: { status: 599 }", "ack: { status: 600 }"],
  ["ack: { status: 206, body: x }", "ack: { status: 205, body: x }"],
  ["callback: { times: 1000 }", "callback: { times: 1001 }"],
  ["callback: { reorder: 1000 }", "callback: { reorder: 1001 }"],
  ["callback: { reorder: 1 }", "callback: { reorder: 0 }"],
  ["callback: { times: 2, gap: 1s }", "callback: { times: 1, gap: 1s }"],
  ["callback: { before_ack: true }", "callback: { before_ack: true, reorder: 1 }"],
  ["callback: { drop: false, times: 2 }", "callback: { drop: true, body: x }"],
  [
    "callback: { content_type: text/html, malformed: true }",
    "callback: { content_type: text/html, wrong_content_type: true }",
  ],
  [
    "callback: { content_type: text/html, wrong_content_type: false }",
    "callback: { content_type: text/html, wrong_content_type: true }",
  ],
  ["result: { result_code: 999999 }", "result: { result_code: 1000000 }"],
  ["result: { delivered_parts: 0 }", "result: { delivered_parts: -1 }"],
  ["result: { delivered_parts: 255 }", "result: { delivered_parts: 256 }"],
  ["result: { delivered_parts: [1, 255] }", "result: { delivered_parts: [0] }"],
  ["result: { lost_parts: [255] }", "result: { lost_parts: [256] }"],
  ["result: { lost_parts: [1] }", "result: { lost_parts: [] }"],
  ["result: { charge: 100% }", "result: { charge: 101% }"],
  ["result: { outcome: timed_out, result_desc: x }", "result: { outcome: timed_out, result_code: 1 }"],
  ["result: { outcome: rejected }", "result: { outcome: insufficient_funds }"],
  ["result: { stuck: false, delay: 1s }", "result: { stuck: true, charge: 1 }"],
  ["result: { stuck: true, carrier: airtel }", "result: { stuck: true, lost_parts: [1] }"],
  ["callback: { times: 2 }, result: { stuck: false }", "callback: { times: 2 }, result: { stuck: true }"],
  [
    "callback: { before_ack: true }, result: { result_code: 500 }",
    "callback: { before_ack: true }, result: { hold_until: 1s }",
  ],
  ["callback: { before_ack: false }, result: { delay: 1s }", "callback: { before_ack: true }, result: { delay: 1s }"],
  ["refuse: 500, connection: reset_before_accept", "refuse: 500, connection: reset_after_accept"],
  ["refuse: 500, wallet: 5", "refuse: 500, result: { delay: 1s }"],
  ["refuse: 500", "refuse: 500, ack: { delay: 1s }"],
  ["refuse: 500", "refuse: 500, callback: { drop: true }"],
  ["connection: reset_after_accept, result: { delay: 1s }", "connection: reset_before_accept, result: { delay: 1s }"],
  ["connection: empty_after_accept, callback: { times: 2 }", "connection: empty_before_accept, callback: { times: 2 }"],
  ["connection: hang_after_accept, ack: { delay: 1s }", "connection: hang_before_accept, ack: { delay: 1s }"],
])("a rule may set %s, not %s", (most, tooMuch) => {
  const [one, other] = [most, tooMuch].map((then) => isTaken(`then: { ${then} }`));

  expect({ one, other }).toEqual({ one: true, other: false });
});

test("a rule for account details and orders may have effects on orders", () => {
  expect(isTaken("when: { operation: [sms, account-details] }, then: { callback: { drop: true } }")).toBe(true);
});

function isTaken(rule: string): boolean {
  return "scenario" in parseScenario(`version: 1\nname: s\nrules:\n  - { name: r, ${rule} }\n`, "s.yaml");
}
