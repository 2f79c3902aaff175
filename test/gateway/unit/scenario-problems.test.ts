import { expect, test } from "vitest";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";

test.each([
  ["", ["1:1  version is missing; add version", "1:1  name is missing; add name"]],
  ["version: 2\nname: s", ["1:10  version: 2 is not known here; write 1"]],
  [
    "version: 1\nname: a/b",
    ['2:7  name: "a/b" is not a scenario\'s name; write letters, digits, dots and dashes, like bad-afternoon'],
  ],
  ["version: 1\nname: s\nruls: []", ['3:1  ruls is not a key; did you mean "rules"?']],
  ["version: 1\nname: s\nseed: -1", ["3:7  seed: -1 is too small; write at least 0"]],
  [
    "version: 1\nname: s\nsetup: { wallet: { balance: lots } }",
    ['3:29  setup.wallet.balance: "lots" is not an amount; write shillings like 10000.00'],
  ],
  [
    "version: 1\nname: s\nsetup: { sender_ids: [A, A] }",
    ['3:26  setup.sender_ids[1]: "A" is listed twice; remove one of the two'],
  ],
  [
    "version: 1\nname: s\nsetup: { rate_limit: { requests: 1, per: 0s } }",
    ['3:42  setup.rate_limit.per is zero, so nothing would be limited; write at least "1ms"'],
  ],
  ["version: 1\nname: s\nrules:\n  - { then: {} }", ["4:5  rules[0].name is missing; add name"]],
  ["version: 1\nname: s\nrules:\n  - { name: r }", ["4:5  rules[0].then is missing; add then"]],
  [
    "version: 1\nname: s\nrules:\n  - name: r\n    then: { ack: { dealy: 5s } }",
    ['5:20  rules[0].then.ack.dealy is not a key; did you mean "delay"?'],
  ],
  ["version: 1\nname: s\nrules: [", ["3:8  nothing closes the [; write ] at its end"]],
  [
    "version: 1\nname: s\nrules:\n  - { name: r, then: {} }\n  - { name: r, when: { operation: sms }, then: {} }",
    ['5:13  rules[1].name: "r" is already the name of rules[0]; write another one'],
  ],
])("refuses the file %j", (text, problems) => {
  expect(problemsIn(text)).toEqual(problems);
});

test.each([
  ["wehn: {}, then: {}", ['4:16  rules[0].wehn is not a key; did you mean "when"?']],
  [
    "when: { operation: airtme }, then: {}",
    ['4:35  rules[0].when.operation: "airtme" is not known here; did you mean "airtime"?'],
  ],
  ["when: { operation: [] }, then: {}", ["4:35  rules[0].when.operation: a list is too small; write at least 1"]],
  [
    "when: { phone_number: 0712345678 }, then: {}",
    [
      '4:38  rules[0].when.phone_number: "0712345678" is not a phone number or a pattern of them; write 254 and nine digits, or a pattern like 25471*',
    ],
  ],
  [
    "when: { phone_number: +2547 }, then: {}",
    [
      '4:38  rules[0].when.phone_number: "+2547" is not a phone number or a pattern of them; write 254 and nine digits, or a pattern like 25471*',
    ],
  ],
  [
    "when: { carrier: safricom }, then: {}",
    ['4:33  rules[0].when.carrier: "safricom" is not known here; did you mean "safaricom"?'],
  ],
  [
    "when: { amount: {} }, then: {}",
    ["4:32  rules[0].when.amount is empty; write at least one of eq, gt, gte, lt, lte"],
  ],
  ["when: { amount: { ge: 1 } }, then: {}", ['4:34  rules[0].when.amount.ge is not a key; did you mean "gt"?']],
  [
    "when: { amount: -5 }, then: {}",
    ['4:32  rules[0].when.amount: "-5" is not an amount; write shillings like 10000.00'],
  ],
  [
    "when: { balance: lots }, then: {}",
    ['4:33  rules[0].when.balance: "lots" is not an amount; write shillings like 10000.00'],
  ],
  ["when: { during: hello }, then: {}", ['4:32  rules[0].when.during: "hello" is not a mapping; write a mapping']],
  [
    "when: { sender_id: 1234 }, then: {}",
    [
      '4:35  rules[0].when.sender_id: "1234" is not a sender ID; write 5 or 6 digits, or at most 11 characters with at least one letter',
    ],
  ],
  ["when: { first: 0 }, then: {}", ["4:31  rules[0].when.first: 0 is too small; write at least 1"]],
  [
    "when: { per: account }, then: {}",
    ["4:29  rules[0].when.per has nothing to count; add one of first, nth, every, after, or remove it"],
  ],
  [
    "when: { first: 1, per: number }, then: {}",
    ['4:39  rules[0].when.per: "number" is not known here; did you mean "phone_number"?'],
  ],
  ["when: { probability: 1.5 }, then: {}", ["4:37  rules[0].when.probability: 1.5 is too large; write at most 1"]],
  [
    "when: { during: { from: 5s, to: 5s } }, then: {}",
    ["4:32  rules[0].when.during is an empty period; make from smaller than to"],
  ],
  [
    "when: { during: { from: 5 } }, then: {}",
    [
      '4:40  rules[0].when.during.from: "5" is not a duration of up to 366d; write a duration like 400ms, 1.5s, 1h30m or 2d',
    ],
  ],
  [
    "when: { operation: airtime, sender_id: AAA }, then: {}",
    ["4:55  rules[0].when.sender_id: airtime has none; remove it, or change operation"],
  ],
  [
    "when: { operation: airtime, every: 2, of: { operation: sms } }, then: {}",
    [
      "4:71  rules[0].when.of.operation: never counts a request of this rule, which concerns airtime: it can never fire; name an operation of the rule, or change operation",
    ],
  ],
  [
    "when: { operation: account-details, phone_number: '*' }, then: {}",
    ["4:66  rules[0].when.phone_number: account-details has none; remove it, or change operation"],
  ],
  [
    "when: { operation: airtime, first: 1, per: sender_id }, then: {}",
    ["4:59  rules[0].when.per: airtime has no sender_id to count by; write per: account"],
  ],
  [
    "when: { first: 2, after: 2 }, then: {}",
    [
      "4:31  rules[0].when.first takes no request that after takes: the rule can never fire; change one of them, or remove it",
    ],
  ],
  [
    "when: { nth: 4, every: 3, after: 1 }, then: {}",
    [
      "4:29  rules[0].when.nth takes no request that every and after take: the rule can never fire; change one of them, or remove it",
    ],
  ],
  [
    "when: { amount: { gt: 100, lte: 100 } }, then: {}",
    ["4:32  rules[0].when.amount is a range that no number is in: the rule can never fire; change a bound"],
  ],
  [
    "when: { operation: airtime }, then: { result: { lost_parts: [1] } }",
    [
      "4:76  rules[0].then.result.lost_parts has no effect on airtime, which has no parts; remove it, or change operation",
    ],
  ],
  [
    "then: { result: { outcome: success, delivered_parts: 1 } }",
    [
      "4:69  rules[0].then.result.delivered_parts has no effect together with outcome, which decides about the whole message; keep one of the two",
    ],
  ],
  [
    "then: { refuse: 200 }",
    [
      "4:32  rules[0].then.refuse: 200 refuses nothing unless its body is not the gateway's; add content_type: text/html and a body, or write 204 or 300 to 599",
    ],
  ],
  [
    "then: { refuse: '429' }",
    ['4:32  rules[0].then.refuse: "429" is not a number or a mapping; write 429 without quotes'],
  ],
  [
    "then: { result: { lost_parts: [1], delivered_parts: 1 } }",
    ["4:46  rules[0].then.result.lost_parts: says the same as delivered_parts, or the contrary; keep one of the two"],
  ],
  [
    "then: { refuse: { status: 304, description: x } }",
    ["4:60  rules[0].then.refuse.description is never sent: 304 has no body; keep one of the two"],
  ],
  [
    'then: { refuse: { status: 503, headers: { Content-Length: "1" } } }',
    ["4:74  rules[0].then.refuse.headers.Content-Length is written by the sandbox itself; remove it"],
  ],
  [
    "then: { ack: { headers: { Content-Encoding: gzip } } }",
    [
      "4:60  rules[0].then.ack.headers.Content-Encoding is for packed bodies, and this one is sent as it is written; remove it",
    ],
  ],
  [
    "then: { ack: { body: '{{colour}}' } }",
    [expect.stringMatching(/^4:37 .*: \{\{colour\}\} is not known here; write one of \{\{request_id\}\}, /)],
  ],
  [
    "then: { ack: { body: '{{request_ids}}' } }",
    ["4:37  rules[0].then.ack.body: {{request_ids}} is not known here; did you mean {{request_id}}?"],
  ],
  ["then: { refuse: { description: x } }", ["4:32  rules[0].then.refuse.status is missing; add status"]],
  [
    "then: { refuse: { status: 500, body: x, description: y } }",
    [
      "4:69  rules[0].then.refuse.description is never seen, because body replaces the whole response; keep one of the two",
    ],
  ],
  [
    "then: { ack: {} }",
    ["4:29  rules[0].then.ack is empty; write at least one of delay, status, body, content_type, headers"],
  ],
  [
    "then: { ack: { status: 204, body: x } }",
    ["4:50  rules[0].then.ack.body is never sent: 204 has no body; keep one of the two"],
  ],
  [
    "then: { refuse: { status: 204, content_type: text/html } }",
    ["4:61  rules[0].then.refuse.content_type is never sent: 204 has no body; keep one of the two"],
  ],
  ["then: { ack: { status: 99 } }", ["4:39  rules[0].then.ack.status: 99 is too small; write at least 200"]],
  [
    "then: { ack: { delay: soon } }",
    [
      '4:38  rules[0].then.ack.delay: "soon" is not a duration of up to 366d; write a duration like 400ms, 1.5s, 1h30m or 2d',
    ],
  ],
  [
    "then: { ack: { delay: { uniform: [6s, 2s] } } }",
    ["4:50  rules[0].then.ack.delay.uniform[0]: 6s is longer than 2s; write the shorter bound first"],
  ],
  [
    "then: { ack: { delay: { fixed: 1s, uniform: [1s, 2s] } } }",
    [
      "4:38  rules[0].then.ack.delay needs exactly one of fixed, uniform or lognormal; write one, like { fixed: 400ms }",
    ],
  ],
  [
    "then: { connection: reset }",
    [
      '4:36  rules[0].then.connection: "reset" is not known here; write one of reset_before_accept, reset_after_accept, empty_before_accept, empty_after_accept, hang_before_accept, hang_after_accept, truncate_before_accept, truncate_after_accept, garbage_before_accept, garbage_after_accept, drip_before_accept, drip_after_accept',
    ],
  ],
  [
    "then: { connection: reset_after_acept }",
    ['4:36  rules[0].then.connection: "reset_after_acept" is not known here; did you mean "reset_after_accept"?'],
  ],
  [
    "then: { result: {} }",
    [
      "4:32  rules[0].then.result is empty; write at least one of outcome, result_code, result_desc, delay, hold_until, stuck, carrier, delivered_parts, lost_parts, charge",
    ],
  ],
  [
    "then: { result: { result_code: 0 } }",
    ["4:47  rules[0].then.result.result_code: 0 is too small; write at least 1"],
  ],
  [
    "then: { result: { stuck: true, delay: 1s } }",
    [
      "4:54  rules[0].then.result.delay has no effect together with stuck: there is never a result; keep one of the two",
    ],
  ],
  [
    "then: { result: { stuck: true, hold_until: 1s } }",
    [
      "4:59  rules[0].then.result.hold_until has no effect together with stuck: there is never a result; keep one of the two",
    ],
  ],
  [
    "then: { result: { charge: -1 } }",
    ['4:42  rules[0].then.result.charge: "-1" is not an amount; write shillings like 10000.00'],
  ],
  [
    "then: { callback: { drop: true, times: 2 } }",
    ["4:55  rules[0].then.callback.times has no effect together with drop: no callback is sent; keep one of the two"],
  ],
  ["then: { callback: { times: 0 } }", ["4:43  rules[0].then.callback.times: 0 is too small; write at least 1"]],
  [
    "then: { callback: { gap: 1s } }",
    ["4:41  rules[0].then.callback.gap needs a second delivery; add times: 2, or remove it"],
  ],
  [
    "then: { callback: { contradict: true } }",
    ["4:48  rules[0].then.callback.contradict needs a second delivery to contradict the first; add times: 2"],
  ],
  [
    "then: { callback: { contradict: true, times: 1 } }",
    ["4:48  rules[0].then.callback.contradict needs a second delivery to contradict the first; add times: 2"],
  ],
  [
    "then: { callback: { before_ack: true, delay: 1s } }",
    [
      "4:61  rules[0].then.callback.delay has no effect together with before_ack, which sends at acceptance; keep one of the two",
    ],
  ],
  [
    "then: { callback: { drop: yes } }",
    ['4:42  rules[0].then.callback.drop: "yes" is not true or false; write true or false'],
  ],
  [
    "then: { refuse: 500, result: { result_code: 500 } }",
    ["4:45  rules[0].then.result has no effect together with refuse: nothing is accepted; keep one of the two"],
  ],
  [
    "then: { refuse: 500, callback: { drop: true } }",
    ["4:47  rules[0].then.callback has no effect together with refuse: nothing is accepted; keep one of the two"],
  ],
  [
    "then: { refuse: 500, ack: { delay: 1s } }",
    ["4:42  rules[0].then.ack has no effect together with refuse: nothing is accepted; keep one of the two"],
  ],
  [
    "then: { refuse: 500, connection: reset_after_accept }",
    ["4:49  rules[0].then.connection has no effect together with refuse: nothing is accepted; keep one of the two"],
  ],
  [
    "then: { connection: reset_before_accept, result: { stuck: true } }",
    ["4:65  rules[0].then.result has no effect if the connection ends before acceptance; keep one of the two"],
  ],
  [
    "then: { connection: empty_before_accept, callback: { drop: true } }",
    ["4:67  rules[0].then.callback has no effect if the connection ends before acceptance; keep one of the two"],
  ],
  [
    "then: { connection: empty_before_accept, ack: { delay: 1s } }",
    ["4:62  rules[0].then.ack has no effect if the connection ends before acceptance; keep one of the two"],
  ],
  [
    "then: { result: { stuck: true }, callback: { times: 2 } }",
    [
      "4:59  rules[0].then.callback has no effect together with result.stuck: no callback is ever sent; keep one of the two",
    ],
  ],
  [
    "then: { callback: { before_ack: true }, result: { delay: 1s } }",
    [
      "4:48  rules[0].then.callback.before_ack needs the result at acceptance, so the result cannot wait; keep one of the two",
    ],
  ],
  [
    "when: { operation: account-details }, then: { callback: { drop: true } }",
    [
      "4:72  rules[0].then.callback has no effect on account-details, which queues nothing; remove it, or change operation",
    ],
  ],
  ["then: { refuze: 500 }", ['4:24  rules[0].then.refuze is not a key; did you mean "refuse"?']],
])("refuses the rule { %s }", (rule, problems) => {
  expect(problemsIn(`version: 1\nname: s\nrules:\n  - { name: r, ${rule} }\n`)).toEqual(problems);
});

test.each([
  [
    "{ at: 1m, do: { rule: { q: off } } }",
    ["6:32  timeline[0].do.rule.q: no rule has this name; write the name of a rule of this file"],
  ],
  [
    "{ at: 1m, do: { rule: { every thrid: off } } }",
    ['6:42  timeline[0].do.rule["every thrid"]: no rule has this name; did you mean "every third"?'],
  ],
  ["{ do: { credentials: revoked } }", ["6:5  timeline[0]: never happens; add at, like at: 60s, or every"]],
  [
    '{ at: "25:00", do: { credentials: revoked } }',
    ['6:11  timeline[0].at: "25:00" is not a time of day; write hours and minutes in quotes, like "15:00"'],
  ],
  [
    "{ at: soon, do: { credentials: revoked } }",
    ['6:11  timeline[0].at: "soon" is not a duration of up to 366d; write a duration like 400ms, 1.5s, 1h30m or 2d'],
  ],
  ["{ at: 1s, do: {} }", ["6:19  timeline[0].do is empty; write what happens, like credentials: revoked"]],
  [
    "{ at: 1s, do: { credentials: gone } }",
    ['6:34  timeline[0].do.credentials: "gone" is not known here; write one of revoked, restored'],
  ],
  [
    "{ at: 1s, do: { credentials: revoked, rate_limit: none } }",
    ["6:55  timeline[0].do.rate_limit cannot be combined with credentials; write a separate step"],
  ],
  ["{ at: 1s, do: { sender_id: {} } }", ["6:32  timeline[0].do.sender_id is empty; name what changes, or remove it"]],
  [
    "{ at: 1s, do: { sender_id: { 1: revoked } } }",
    [
      '6:34  timeline[0].do.sender_id["1"]: "1" is not a sender ID; write 5 or 6 digits, or at most 11 characters with at least one letter',
    ],
  ],
  [
    "{ at: 1s, do: { carrier: { airtl: down } } }",
    ['6:32  timeline[0].do.carrier.airtl is not a key; did you mean "airtel"?'],
  ],
  [
    "{ at: 1s, do: { wallet: { add: 5, balance: 5 } } }",
    ["6:36  timeline[0].do.wallet.add cannot be combined with balance; write a separate step"],
  ],
  [
    "{ at: 1s, do: { rate_limit: nome } }",
    ['6:33  timeline[0].do.rate_limit: "nome" is not known here; did you mean "none"?'],
  ],
  [
    "{ at: 1s, do: { rate_limit: { requests: 0 } } }",
    ["6:45  timeline[0].do.rate_limit.requests: 0 is too small; write at least 1"],
  ],
  [
    "{ at: 1s, do: { wallet: { balance: x } } }",
    ['6:40  timeline[0].do.wallet.balance: "x" is not an amount; write shillings like 10000.00'],
  ],
  ["{ at: 1s, do: { wallet: 5 } }", ["6:29  timeline[0].do.wallet: 5 is not a mapping; write a mapping"]],
])("refuses the step %s", (step, problems) => {
  expect(
    problemsIn(`version: 1\nname: s\nrules:\n  - { name: every third, then: {} }\ntimeline:\n  - ${step}\n`),
  ).toEqual(problems);
});

test("tells the mistakes of several rules at once", () => {
  const text =
    "version: 1\nname: s\nrules:\n  - { name: a, then: { refuse: 500, ack: { delay: 1s } } }\n  - { name: b, then: { callback: { gap: 1s } } }\n";

  expect(problemsIn(text)).toHaveLength(2);
});

function problemsIn(text: string): string[] {
  const parsed = parseScenario(text, "s.yaml");
  return "problems" in parsed ? parsed.problems.map((problem) => formatProblem(problem).slice("s.yaml:".length)) : [];
}

test("refuses more than 500 rules, at the first that is too many", () => {
  const rules = Array.from({ length: 501 }, (_, index) => `  - { name: r${index}, then: {} }`);

  const parsed = parseScenario(["version: 1", "name: s", "rules:", ...rules].join("\n"), "s.yaml");

  const problems = "problems" in parsed ? parsed.problems.map(formatProblem) : [];
  expect(problems).toEqual([
    "s.yaml:504:5  rules: 501 rules are too many; write at most 500: let one rule match more, for example with a pattern in phone_number",
  ]);
});

const RULE = "version: 1\nname: s\nrules:\n  - name: r\n";

test.each([
  [
    "    when: { amount: { gte: abc } }\n    then: {}",
    '5:28  rules[0].when.amount.gte: "abc" is not an amount; write shillings like 10000.00',
  ],
  [
    "    when: { probability: 2.5% }\n    then: {}",
    '5:26  rules[0].when.probability: "2.5%" is not a number; write a number',
  ],
  [
    "    then: {}\n  name: q\n  then: {}",
    "6:1  this is not YAML (All mapping items must start at the same column); check quotes, brackets and indentation",
  ],
  ["    then: { refuse:500 }", '5:13  rules[0].then["refuse:500"] is not a key; did you mean "refuse"?'],
  ["    then:\n      refuse:500", '6:7  rules[0].then: "refuse:500" is not a mapping; write a mapping'],
  [
    "    then:\n      refuse:500\n      callback: { drop: true }",
    '6:7  this is not YAML (Implicit keys need to be on a single line); write "key: value", with a space after the colon',
  ],
  [
    '    then: { refuse: { status: 503, body: "x } }\n  - name: q\n    then: {}',
    '5:42  this is not YAML (Missing closing "quote); check quotes, brackets and indentation',
  ],
  ["    then: { refuse: 503\n  - name: q\n    then: {}", "5:11  nothing closes the {; write } at its end"],
  [
    "    then: &a [*a]",
    "5:15  an alias is not read here; write the value out, or put quotes around a text that begins with *",
  ],
  ["\u0000", "1:1  this is not text in UTF-8; save the file as UTF-8"],
])("one mistake gets one message with its repair: %j", (text, told) => {
  const parsed = parseScenario(`${RULE}${text}\n`, "s.yaml");

  expect("problems" in parsed && parsed.problems.map(formatProblem)).toEqual([`s.yaml:${told}`]);
});

test("a rule without a dash is told about its list", () => {
  const parsed = parseScenario("version: 1\nname: s\nrules:\n  name: r\n  then: {}\n", "s.yaml");

  expect("problems" in parsed && parsed.problems.map(formatProblem)).toEqual([
    "s.yaml:4:3  rules: a mapping is not a list; write a list",
  ]);
});
