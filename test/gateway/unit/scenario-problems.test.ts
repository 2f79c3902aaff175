import { expect, test } from "vitest";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";

test.each([
  ["name: a/b", '2:7  name: "a/b" is not a scenario\'s name; write letters, digits, dots and dashes'],
  ["name: s\nsetup: { sender_ids: [A, A] }", '3:26  setup.sender_ids[1]: "A" is listed twice'],
  ["name: s\nsetup: { rate_limit: { requests: 1, per: 0s } }", "3:42  setup.rate_limit.per is zero"],
  [
    "name: s\nrules: [{ name: r, then: {} }, { name: r, then: {} }]",
    '3:40  rules[1].name: "r" is already the name of rules[0]',
  ],
  ["name: s\nrules:\n  name: r\n  then: {}", "4:3  rules: a mapping is not a list; write a list"],
])("refuses the file %j", (text, problem) => {
  expect(problemsIn(`version: 1\n${text}\n`)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  [
    "when: { phone_number: 0712345678 }",
    'when.phone_number: "0712345678" is not a phone number or a pattern of them; write',
  ],
  ["when: { sender_id: 1234 }", 'when.sender_id: "1234" is not a sender ID; write 5 or 6 digits'],
  ["when: { amount: {} }", "when.amount is empty; write at least one of eq, gt, gte, lt, lte"],
  ["when: { amount: { gt: 100, lte: 100 } }", "when.amount is a range that no number is in: the rule can never fire"],
  ["when: { during: { from: 5s, to: 5s } }", "when.during is an empty period; make from smaller than to"],
  ["when: { per: account }", "when.per has nothing to count; add one of first, nth, every, after"],
  ["when: { operation: airtime, sender_id: AAA }", "when.sender_id: airtime has none; remove it, or change operation"],
  ["when: { operation: airtime, first: 1, per: sender_id }", "when.per: airtime has no sender_id to count by"],
  ["when: { first: 2, after: 2 }", "when.first takes no request that after takes: the rule can never fire"],
  ["when: { nth: 4, every: 3, after: 1 }", "when.nth takes no request that every and after take"],
  ["when: { operation: airtime, every: 2, of: { operation: sms } }", "when.of.operation: never counts a request"],
])("refuses a rule with { %s }", (when, problem) => {
  expect(problemsIn(ruleOf(`${when}, then: {}`))).toEqual([expect.stringContaining(`rules[0].${problem}`)]);
});

test.each([
  ["refuse: 200", "refuse: 200 refuses nothing unless its body is not the gateway's; add content_type: text/html"],
  ["refuse: { status: 304, description: x }", "refuse.description is never sent: 304 has no body; keep one of the two"],
  [
    "refuse: { status: 500, body: x, description: y }",
    "refuse.description is never seen, because body replaces the whole response",
  ],
  [
    'refuse: { status: 503, headers: { Content-Length: "1" } }',
    "refuse.headers.Content-Length is written by the sandbox",
  ],
  ["refuse: 500, result: { result_code: 500 }", "result has no effect together with refuse: nothing is accepted"],
  ["ack: { headers: { Content-Encoding: gzip } }", "ack.headers.Content-Encoding is for packed bodies"],
  ["ack: { body: '{{colour}}' }", "ack.body: {{colour}} is not known here; write one of {{request_id}}, "],
  ["ack: { body: '{{request_ids}}' }", "ack.body: {{request_ids}} is not known here; did you mean {{request_id}}?"],
  ["connection: reset_before_accept, ack: { delay: 1s }", "ack has no effect if the connection ends before acceptance"],
  ["result: { outcome: success, delivered_parts: 1 }", "result.delivered_parts has no effect together with outcome"],
  [
    "result: { lost_parts: [1], delivered_parts: 1 }",
    "result.lost_parts: says the same as delivered_parts, or the contrary",
  ],
  ["result: { stuck: true, delay: 1s }", "result.delay has no effect together with stuck: there is never a result"],
  ["result: { stuck: true }, callback: { times: 2 }", "callback has no effect together with result.stuck: no callback"],
  ["callback: { drop: true, times: 2 }", "callback.times has no effect together with drop: no callback is sent"],
  ["callback: { gap: 1s }", "callback.gap needs a second delivery; add times: 2, or remove it"],
  ["callback: { contradict: true }", "callback.contradict needs a second delivery to contradict the first"],
  ["callback: { reverse: true }", "callback.reverse needs a second delivery to reverse the first"],
  ["callback: { times: 2, contradict: true, reverse: true }", "callback.reverse: says already what contradict says"],
  ["callback: { before_ack: true, delay: 1s }", "callback.delay has no effect together with before_ack"],
  ["callback: { before_ack: true }, result: { delay: 1s }", "callback.before_ack needs the result at acceptance"],
])("refuses a rule that does { %s }", (then, problem) => {
  expect(problemsIn(ruleOf(`then: { ${then} }`))).toEqual([expect.stringContaining(`rules[0].then.${problem}`)]);
});

test.each([
  ["operation: airtime", "result: { lost_parts: [1] }", "then.result.lost_parts has no effect on airtime"],
  ["operation: account-details", "callback: { drop: true }", "then.callback has no effect on account-details"],
])("refuses a rule for { %s } that does { %s }", (when, then, problem) => {
  const problems = problemsIn(ruleOf(`when: { ${when} }, then: { ${then} }`));

  expect(problems).toEqual([expect.stringContaining(`rules[0].${problem}`)]);
});

test.each([
  ["{ at: 1m, do: { rule: { q: off } } }", "do.rule.q: no rule has this name; write the name of a rule"],
  ["{ at: 1m, do: { rule: { every thrid: off } } }", 'no rule has this name; did you mean "every third"?'],
  ["{ do: { credentials: revoked } }", "never happens; add at, like at: 60s, or every"],
  ['{ at: "25:00", do: { credentials: revoked } }', 'at: "25:00" is not a time of day; write hours and minutes'],
  [
    '{ at: 1s, do: { credentials: { secret: "" } } }',
    "do.credentials.secret is empty; write a secret or remove the key",
  ],
  [
    '{ at: 1s, do: { credentials: { secret: "hush\\n" } } }',
    "do.credentials.secret has a control character, perhaps a line break; use printable characters only",
  ],
  ["{ at: 1s, do: { credentials: { secret: [hush] } } }", "do.credentials.secret: a list is not text; write text"],
  ["{ at: 1s, do: {} }", "do is empty; write what happens, like credentials: revoked"],
  ["{ at: 1s, do: { sender_id: {} } }", "do.sender_id is empty; name what changes, or remove it"],
  ["{ at: 1s, do: { credentials: revoked, rate_limit: none } }", "do.rate_limit cannot be combined with credentials"],
])("refuses the step %s", (step, problem) => {
  const text = `version: 1\nname: s\nrules:\n  - { name: every third, then: {} }\ntimeline:\n  - ${step}\n`;

  expect(problemsIn(text)).toEqual([expect.stringContaining(problem)]);
});

test("tells the mistakes of several rules at once", () => {
  const rules =
    "[{ name: a, then: { refuse: 500, ack: { delay: 1s } } }, { name: b, then: { callback: { gap: 1s } } }]";

  expect(problemsIn(`version: 1\nname: s\nrules: ${rules}`)).toHaveLength(2);
});

test("refuses more than 500 rules, at the first that is too many", () => {
  const rules = Array.from({ length: 501 }, (_, index) => `  - { name: r${index}, then: {} }`);

  const problems = problemsIn(["version: 1", "name: s", "rules:", ...rules].join("\n"));

  expect(problems).toEqual([expect.stringContaining("504:5  rules: 501 rules are too many; write at most 500")]);
});

test.each([
  ["then: { refuse:500 }", '5:13  rules[0].then["refuse:500"] is not a key; did you mean "refuse"?'],
  ["then:\n      refuse:500", '6:7  rules[0].then: "refuse:500" is not a mapping; write a mapping'],
  [
    "then:\n      refuse:500\n      ack: {}",
    '6:7  this is not YAML (Implicit keys need to be on a single line); write "key',
  ],
  [
    'then: { refuse: { body: "x } }\n  - name: q\n    then: {}',
    '5:29  this is not YAML (Missing closing "quote); check',
  ],
  ["\u0000", "1:1  this is not text in UTF-8; save the file as UTF-8"],
])("one mistake gets one message with its repair: %j", (text, told) => {
  expect(problemsIn(`version: 1\nname: s\nrules:\n  - name: r\n    ${text}\n`)).toEqual([
    expect.stringContaining(told),
  ]);
});

function ruleOf(text: string): string {
  return `version: 1\nname: s\nrules:\n  - { name: r, ${text} }\n`;
}

function problemsIn(text: string): string[] {
  const parsed = parseScenario(text, "s.yaml");
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}
