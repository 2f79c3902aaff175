import { expect, test } from "vitest";
import { configJsonSchema, configSchema } from "../../../src/config.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { keysWithoutDescription } from "../../support/gateway/json-schema.ts";

test("every key says in the JSON Schema what it means", () => {
  expect(keysWithoutDescription(configJsonSchema(), "")).toEqual([]);
});

test.each([
  ["{ mode: real }", { mode: "real" }],
  ["{ mode: x10 }", { mode: "scaled", scale: 10 }],
  ["{ mode: manual, now: 1970-01-01T00:00:01Z }", { mode: "manual", start: 1_000 }],
])("reads the clock %s", (written, clock) => {
  const parsed = parseDocument(`clock: ${written}`, configSchema, "kredo.config.yaml");

  expect("value" in parsed && parsed.value.clock).toEqual(clock);
});

test.each([
  ["prot: 1", '1:1  prot is not a key; did you mean "port"?'],
  ["scenarios: ['']", '1:13  scenarios[0]: "" is not a scenario; write the name of a shipped scenario, or the path'],
  ["host: 'http://x'", '1:7  host: "http://x" is not a host to listen on; write an address or a name'],
  ["accounts: [{ rate_limit: { requests: 1, per: 0 } }]", "1:46  accounts[0].rate_limit.per is zero, so nothing"],
  ["accounts: [{ callbacks: { timeout: 0 } }]", "1:36  accounts[0].callbacks.timeout is too short for any answer"],
  ["clock: fast", '1:8  clock: "fast" is not a clock; write real, manual, or x and a speed up to 100000, like x10'],
  ["clock: { mode: scaled }", "1:8  clock needs a scale; add scale, like scale: 10"],
  ["clock: { mode: manual, scale: 2 }", "1:31  clock.scale has no effect on a manual clock; remove it"],
  ["clock: { mode: manual, now: 1969-12-31T23:59:59Z }", '"1969-12-31T23:59:59Z" is not a moment since 1970; write'],
  ["carriers: { airtel: { limits: { max: 3 } } }", "the smallest amount, 5.00, is more than the largest, 3.00"],
  [
    "carriers:\n  telkom:\n    latency: { airtime: 1s, fixed: 2s }",
    "fixed is not allowed together with airtime and sms",
  ],
  ["numbers: { prefixes: { 247: airtel } }", '1:24  numbers.prefixes["247"]: "247" is not a prefix; write national'],
  ["result_codes: { failed: 200 }", "1:25  result_codes.failed: 200 means success; choose another code"],
  ["result_codes: { success: 201 }", "1:17  result_codes.success is not a key; the keys here are failed, rejected"],
  ["sender_id_registration: { business_days: { min: 4 } }", "the minimum, 4 days, is more than the maximum, 3"],
  [
    "callback_allow: ['https://staging.example.co.ke:80/x']",
    '1:18  callback_allow[0]: "https://staging.example.co.ke:80/x" is not a host; write the name alone: staging.example.co.ke',
  ],
  ["callback_allow: ['b a.test']", '1:18  callback_allow[0]: "b a.test" is not a host; write a name, or *. and a name'],
  ["auto_accounts: ['a:*']", '1:17  auto_accounts[0]: "a:*" is not a consumer-key pattern; write printable ASCII'],
  ["admin: { token: my token }", "1:17  admin.token is not a token; write visible ASCII characters without spaces"],
  ["findings: { burst: { requests: 20, per: 0 } }", "1:41  findings.burst.per: a period of 0 contains no requests"],
  ["replicas: { url: 'http://a.test/kredo' }", '"http://a.test/kredo" is not the URL of a replica; write scheme, host'],
])("refuses %j", (text, problem) => {
  expect(problemsIn(text)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ["consumer_key: 'a:b'", '2:19  accounts[0].consumer_key: "a:b" is not a consumer key; write 1 to 128 printable'],
  [
    "consumer_key: default",
    '2:19  accounts[0].consumer_key: "default" is what the control API calls the first account',
  ],
  ['consumer_secret: "s3cret\\n"', "2:22  accounts[0].consumer_secret has a control character, perhaps a line"],
  ["consumer_secret: ''", "2:22  accounts[0].consumer_secret is empty; write a secret or remove the key"],
  ["clock: { mode: x10, scale: 5 }", "2:32  accounts[0].clock.scale has no effect because the mode already sets"],
  ["sender_ids: [SANDBOX, 1234]", '2:27  accounts[0].sender_ids[1]: "1234" is not a sender ID; write 5 or 6 digits'],
  ["sender_ids: [A, B, A]", '2:24  accounts[0].sender_ids[2]: "A" is listed twice; remove one of the two'],
  ["organization: { office_mobile: 0712345678 }", '"0712345678" is not a number in international form; write a'],
  ["callbacks: { sms: localhost:3000 }", '2:23  accounts[0].callbacks.sms: "localhost:3000" is not a URL that can be'],
  ["callbacks: { headers: { Content-Type: x } }", "2:43  accounts[0].callbacks.headers.Content-Type has a key of"],
  ['callbacks: { headers: { X-A: "a\\nb" } }', "2:34  accounts[0].callbacks.headers.X-A has characters"],
  ["callbacks: { ca: ./ca.pem }", '2:22  accounts[0].callbacks.ca is not a certificate in PEM form; write "ca: |"'],
])("refuses an account with %j", (line, problem) => {
  expect(problemsIn(`accounts:\n  - ${line}`)).toEqual([expect.stringContaining(problem)]);
});

test("refuses a consumer key at its second use, and tells what is wrong with the accounts besides", () => {
  const problems = problemsIn(
    "accounts:\n  - balance: x\n  - consumer_key: sandbox-key\n  - {}\n  - consumer_key: b\n  - consumer_key: b\n",
  );

  expect(problems).toEqual([
    'kredo.config.yaml:2:14  accounts[0].balance: "x" is not an amount; write shillings like 10000.00',
    'kredo.config.yaml:3:19  accounts[1].consumer_key: "sandbox-key" is already the key of accounts[0]; write another one',
    "kredo.config.yaml:4:5  accounts[2] needs a consumer_key; add one, because only the first account has a default",
    'kredo.config.yaml:6:19  accounts[4].consumer_key: "b" is already the key of accounts[3]; write another one',
  ]);
});

test("says of accounts that are no mappings nothing but that", () => {
  expect(problemsIn("accounts: [x, x, ~, ~]")).toEqual([
    'kredo.config.yaml:1:12  accounts[0]: "x" is not a mapping; write a mapping',
    'kredo.config.yaml:1:15  accounts[1]: "x" is not a mapping; write a mapping',
    "kredo.config.yaml:1:18  accounts[2] has no value; give it one or remove the key",
    "kredo.config.yaml:1:21  accounts[3] has no value; give it one or remove the key",
  ]);
});

function problemsIn(text: string): string[] {
  const parsed = parseDocument(text, configSchema, "kredo.config.yaml");
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}
