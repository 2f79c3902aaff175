import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { readScenario } from "../../../src/gateway/scenario/read-scenario.ts";
import type { ParsedScenario } from "../../../src/gateway/scenario/schema.ts";

test.each([
  ["operation: [airtime, account-details]", { operation: ["airtime", "account-details"] }],
  ["phone_number: 254712345678", { phone_number: ["254712345678"] }],
  ['phone_number: ["25471*", "254733000111"]', { phone_number: ["25471*", "254733000111"] }],
  ["carrier: [airtel, telkom]", { carrier: ["airtel", "telkom"] }],
  ["amount: 50", { amount: { eq: 5_000 } }],
  ['amount: "50.5"', { amount: { eq: 5_050 } }],
  ["balance: { gt: 1, lte: 99.99 }", { balance: { gt: 100, lte: 9_999 } }],
  ["sender_id: 20254", { sender_id: ["20254"] }],
  ["sender_id: [SANDBOX, MFANO]", { sender_id: ["SANDBOX", "MFANO"] }],
  ["nth: 3, per: sender_id", { per: "sender_id", nth: 3 }],
  ["after: 2, first: 5", { after: 2, first: 5 }],
  ["probability: 1", { probability: 1 }],
  ["during: { from: 1m }", { during: { from: 60_000 } }],
  ["during: { to: 90s }", { during: { from: 0, to: 90_000 } }],
])("reads the matcher %s", (when, read) => {
  expect(rulesOf(`version: 1\nname: s\nrules:\n  - name: r\n    when: { ${when} }\n    then: {}\n`)).toEqual([
    { name: "r", when: read, then: {}, continue: false },
  ]);
});

test.each([
  ["refuse: 422", { refuse: { status: 422 } }],
  [
    "refuse: { status: 422, description: No., validation_errors: { amount: [Too much.] } }",
    { refuse: { status: 422, description: "No.", validation_errors: { amount: ["Too much."] } } },
  ],
  ['refuse: { status: 500, body: "<html>" }', { refuse: { status: 500, body: "<html>" } }],
  ["ack: { delay: 10s, status: 202, body: '' }", { ack: { delay: { fixed: 10_000 }, status: 202, body: "" } }],
  [
    "ack: { delay: { lognormal: { median: 2s, sigma: 1 } } }",
    { ack: { delay: { lognormal: { median: 2_000, sigma: 1 } } } },
  ],
  ["connection: hang_before_accept", { connection: "hang_before_accept" }],
  ["connection: drip_after_accept", { connection: "drip_after_accept" }],
  [
    "result: { result_code: 403, result_desc: Rejected, delay: 1s, carrier: airtel, charge: 1.5 }",
    { result: { result_code: 403, result_desc: "Rejected", delay: { fixed: 1_000 }, carrier: "airtel", charge: 150 } },
  ],
  ["result: { hold_until: 30s }", { result: { hold_until: 30_000 } }],
  ["result: { stuck: true }", { result: { stuck: true } }],
  ["callback: { drop: true }", { callback: { drop: true } }],
  ["callback: { before_ack: true }", { callback: { before_ack: true } }],
  [
    "callback: { times: 3, gap: 1s, delay: 1h, reorder: 2, contradict: true }",
    { callback: { times: 3, gap: { fixed: 1_000 }, delay: { fixed: 3_600_000 }, reorder: 2, contradict: true } },
  ],
  [
    "callback: { unknown_id: true, malformed: true, wrong_content_type: true }",
    { callback: { unknown_id: true, malformed: true, wrong_content_type: true } },
  ],
])("reads the effect %s", (then, read) => {
  expect(rulesOf(`version: 1\nname: s\nrules:\n  - name: r\n    then: { ${then} }\n`)).toEqual([
    { name: "r", when: {}, then: read, continue: false },
  ]);
});

test.each([
  ["wallet: { balance: 3 }", { wallet: { balance: 300 } }],
  ["credentials: restored", { credentials: "restored" }],
  ["credentials: { secret: 0012 }", { credentials: { secret: "0012" } }],
  ["sender_id: { SANDBOX: revoked, MFANO: restored }", { sender_id: { SANDBOX: "revoked", MFANO: "restored" } }],
  ["carrier: { airtel: down }", { carrier: { airtel: "down" } }],
  ["rate_limit: { requests: 5, per: 1m }", { rate_limit: { requests: 5, per: 60_000 } }],
  ["rate_limit: { requests: 5 }", { rate_limit: { requests: 5, per: 1_000 } }],
  ["rate_limit: none", { rate_limit: "none" }],
  ["rule: { r: off }", { rule: { r: "off" } }],
])("reads the step %s", (step, action) => {
  const parsed = read(
    `version: 1\nname: s\nrules:\n  - { name: r, then: {} }\ntimeline:\n  - { at: 1m, do: { ${step} } }\n`,
  );

  expect(parsed).toMatchObject({ timeline: [{ at: "1m", do: action }] });
});

test("reads a setup", () => {
  const parsed = read(
    `$schema: ../schema/scenario.schema.json
version: 1
name: s
setup:
  wallet: { balance: 3 }
  sender_ids: [SANDBOX, { sender_id: 20254, carriers: [airtel] }]
  callbacks: { sms: "kredo:sink" }
  numbers: { ported: { 254722000111: airtel } }
  rate_limit: { requests: 2 }
`,
  );

  expect(parsed).toEqual({
    name: "s",
    setup: {
      wallet: { balance: 300 },
      sender_ids: [
        { sender_id: "SANDBOX", carriers: CARRIERS },
        { sender_id: "20254", carriers: ["airtel"] },
      ],
      callbacks: { sms: "kredo:sink" },
      numbers: { ported: { "254722000111": "airtel" } },
      rate_limit: { requests: 2, per: 1_000 },
    },
    rules: [],
    timeline: [],
  });
});

/** Reads a scenario, or says what is wrong with it. */
function read(text: string): ParsedScenario | string[] {
  const parsed = parseScenario(text, "s.yaml");
  return "scenario" in parsed ? readScenario(parsed.scenario) : parsed.problems.map(formatProblem);
}

function rulesOf(text: string): unknown {
  const parsed = read(text);
  return "rules" in parsed ? parsed.rules : parsed;
}
