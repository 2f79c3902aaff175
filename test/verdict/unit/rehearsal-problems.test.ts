import { expect, test } from "vitest";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";

const HEAD = "version: 1\nname: r\n";
const EXPECT = "expect: [{ findings: { none_of: defect } }]\n";

test.each([
  ["aplication: http://localhost\n", 'r.yaml:3:1  aplication is not a key; did you mean "application"?'],
  [
    "application: localhost:3000\n",
    'r.yaml:3:14  application: "localhost:3000" is not a URL; write a URL like http://localhost:3000',
  ],
  [
    "clock: manuel\n",
    'r.yaml:3:8  clock: "manuel" is not a clock; write real, manual, or x and a speed up to 100000, like x10',
  ],
  [
    "account: { callbacks: { airtime: hooks } }\n",
    'r.yaml:3:34  account.callbacks.airtime: "hooks" is not a URL; write {app} and a path, like {app}/hooks/airtime, or http:// or https:// and a host, or kredo:sink',
  ],
  [
    "scenario: [a, { version: 1, name: x, ruls: [] }]\n",
    'r.yaml:3:38  scenario[1].ruls is not a key; did you mean "rules"?',
  ],
  [
    "drive: [{ advance: all, wait: 1s }]\n",
    "r.yaml:3:31  drive[0].wait cannot be combined with advance; write a separate step",
  ],
  [
    'drive: [{ order: { repeat: 3, phone_number: "254712000001" } }]\n',
    "r.yaml:3:45  drive[0].order.phone_number is the same number for 3 orders; write {n} in place of its last digits, or leave it out",
  ],
  [
    'drive: [{ order: { phone_number: "0712000001" } }]\n',
    'r.yaml:3:34  drive[0].order.phone_number: "0712000001" is not a phone number; write 254 and nine digits, with {n} for the last 1 of them if the order is repeated',
  ],
  [
    "drive: [{}]\n",
    "r.yaml:3:9  drive[0] is empty; write one of order, request, command, sandbox, advance, top_up, wait, until, observe",
  ],
  [
    'drive: [{ request: { url: "{app}/", json: 1, body: x } }]\n',
    "r.yaml:3:52  drive[0].request.body is a second body in addition to json; keep one of the two",
  ],
  [
    'drive: [{ request: { url: "{app}/", capture: { Order: $.id } } }]\n',
    'r.yaml:3:48  drive[0].request.capture.Order: "Order" is not a name for a captured value; write lower-case letters, digits and underscores, like order_id',
  ],
  [
    'drive: [{ request: { url: "{app}/", capture: { order: id } } }]\n',
    'r.yaml:3:55  drive[0].request.capture.order: "id" is not a JSONPath (RFC 9535); write one that begins with $, like $.status or $.items[?@.id == "7"]',
  ],
  [
    "drive: [{ sandbox: { repeat: 2 } }]\n",
    'r.yaml:3:20  drive[0].sandbox needs exactly one of airtime or sms; write { airtime: { phone_number: "254712000001", amount: "100" } }',
  ],
  [
    'drive: [{ request: { url: "{app}/{odrer}" } }]\n',
    "r.yaml:3:9  drive[0]: no earlier step captures {odrer}; capture it in an earlier request, or write {{odrer}} for the braces themselves",
  ],
])("%j has its mistake in its place, with the repair", (text, problem) => {
  expect(problemsIn(`${HEAD}${text}${EXPECT}`)).toEqual([problem]);
});

test.each([
  [
    "{ findings: { none: double-spent } }",
    'r.yaml:3:30  expect[0].findings.none: "double-spent" is not known here; did you mean "double-spend"?',
  ],
  ["{ findings: {} }", "r.yaml:3:22  expect[0].findings is empty; write at least one of none_of, none, some"],
  [
    "{ callbacks: { operation: sms } }",
    "r.yaml:3:23  expect[0].callbacks: expects nothing; add one of acknowledged, acknowledged_within, count",
  ],
  [
    "{ requests: { match: { operation: sms } } }",
    "r.yaml:3:22  expect[0].requests: expects nothing; add one of count, spacing, no_repeat",
  ],
  [
    "{ wallet: { spent: ten } }",
    'r.yaml:3:29  expect[0].wallet.spent: "ten" is not an amount; write shillings like 10000.00',
  ],
  [
    "{ transactions: { sucess: 1 } }",
    "r.yaml:3:28  expect[0].transactions.sucess is not a key; the keys here are match, queued, succeeded, failed, stuck",
  ],
  [
    "{ probe: { request: { url: http://x/ }, equals: 1, exists: true } }",
    "r.yaml:3:69  expect[0].probe.exists is a second expectation of the same probe; write a separate probe",
  ],
  [
    "{ probe: { equals: 1 } }",
    'r.yaml:3:19  expect[0].probe needs exactly one of request or command; write { request: { url: "{app}/orders/{order}" } }',
  ],
  [
    "{ reconcile: { command: books } }",
    "r.yaml:3:23  expect[0].reconcile needs exactly one of total, json or csv; write { total: $.total } if the books are one sum",
  ],
  [
    "{ name: x }",
    "r.yaml:3:10  expect[0]: expects nothing; add one of findings, callbacks, requests, wallet, transactions, probe, reconcile",
  ],
])("a check %s has its mistake in its place, with the repair", (check, problem) => {
  expect(problemsIn(`${HEAD}expect: [${check}]\n`)).toContain(problem);
});

test("a file need not expect anything: orders and defects are judged all the same", () => {
  expect(problemsIn(`${HEAD}drive: [{ order: airtime }]\n`)).toEqual([]);
});

test("a name is captured before it is used, and the address of a callback is known from the start", () => {
  const drive =
    'drive: [{ request: { url: "{app}/{n}", repeat: 2, capture: { order: $.id } } }, { command: "echo {x}" }]\n';
  const probe = 'expect: [{ probe: { request: { url: "{app}/{order}" }, equals: "{run}" } }]\n';

  const problems = problemsIn(`${HEAD}account: { callbacks: { sms: "{order}" } }\n${drive}${probe}`);

  expect(problems).toEqual([
    'r.yaml:3:30  account.callbacks.sms: "{order}" is not a URL; write {app} and a path, like {app}/hooks/airtime, or http:// or https:// and a host, or kredo:sink',
  ]);
});

test("JSON is read as well", () => {
  const json = JSON.stringify({ version: 1, name: "r", expect: [{ wallet: { spent: { lte: 95 } } }] });

  expect(parseRehearsal(json, "r.json")).toMatchObject({
    rehearsal: { expect: [{ wallet: { spent: { lte: 9_500 } } }] },
  });
});

function problemsIn(text: string): string[] {
  const parsed = parseRehearsal(text, "r.yaml");
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}
