import { expect, test } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";

test.each([
  ["port: 0", "port: -1"],
  ["port: 65535", "port: 65536"],
  ["max_sms_parts: 1", "max_sms_parts: 0"],
  ["max_sms_parts: 255", "max_sms_parts: 256"],
  ["latency_ms: 0", "latency_ms: -1"],
  ["latency_ms: 86400000", "latency_ms: 86400001"],
  ["result_codes: { failed: 1 }", "result_codes: { failed: 0 }"],
  ["result_codes: { rejected: 999999 }", "result_codes: { rejected: 1000000 }"],
  ["numbers: { ported_share: 0 }", "numbers: { ported_share: -0.1 }"],
  ["numbers: { ported_share: 1 }", "numbers: { ported_share: 1.1 }"],
  ["numbers: { prefixes: { 71: airtel } }", "numbers: { prefixes: { 7: airtel } }"],
  ["numbers: { prefixes: { 71234567: airtel } }", "numbers: { prefixes: { 712345678: airtel } }"],
  ["numbers: { prefixes: { 11: airtel } }", "numbers: { prefixes: { 21: airtel } }"],
  ["carriers: { airtel: { limits: { min: 5, max: 5 } } }", "carriers: { airtel: { limits: { min: 5.01, max: 5 } } }"],
  ["carriers: { airtel: { discount: 100% } }", "carriers: { airtel: { discount: 100.01% } }"],
  ["carriers: { airtel: { discount: 0.05% } }", "carriers: { airtel: { discount: 0.005% } }"],
  ["carriers: { airtel: { latency: 366d } }", "carriers: { airtel: { latency: 8785h } }"],
  [
    "carriers: { airtel: { latency: { uniform: [1s, 1s] } } }",
    "carriers: { airtel: { latency: { uniform: [2s, 1s] } } }",
  ],
  [
    "carriers: { airtel: { latency: { lognormal: { median: 1s, sigma: 3 } } } }",
    "carriers: { airtel: { latency: { lognormal: { median: 1s, sigma: 3.1 } } } }",
  ],
  [
    "carriers: { airtel: { latency: { lognormal: { median: 1s, sigma: 0 } } } }",
    "carriers: { airtel: { latency: { lognormal: { median: 1s, sigma: -0.1 } } } }",
  ],
  [
    "sender_id_registration: { business_days: { min: 0, max: 0 } }",
    "sender_id_registration: { business_days: { min: -1, max: 0 } }",
  ],
  [
    "sender_id_registration: { business_days: { max: 366 } }",
    "sender_id_registration: { business_days: { max: 367 } }",
  ],
  ["carriers: { airtel: { discount: 6% } }", "carriers: { airtel: { discount: 6%x } }"],
  ["clock: x100000", "clock: x100001"],
  ["clock: x10", "clock: x10x"],
  ["clock: x10", "clock: xx10"],
  ["clock: x0.000001", "clock: x0.0000001"],
  ["clock: { mode: scaled, scale: 100000 }", "clock: { mode: scaled, scale: 100001 }"],
  ["clock: { mode: scaled, scale: 0.1 }", "clock: { mode: scaled, scale: 0 }"],
  ["journal: { max_transactions: 1 }", "journal: { max_transactions: 0 }"],
  ["journal: { max_bytes: 1 }", "journal: { max_bytes: 0 }"],
  ["ucs2_concatenated: 67", "ucs2_concatenated: 68"],
  ["callback_allow: [a.test]", "callback_allow: ['a.test:80']"],
  ["callback_allow: [a.test]", "callback_allow: ['a.test b']"],
  ["callback_allow: ['*.a.test']", "callback_allow: ['*']"],
  ["max_pending: 1", "max_pending: 0"],
  ["replicas: { lease: 500ms }", "replicas: { lease: 499ms }"],
  ["seed: 0", "seed: -1"],
  ["callback_allow: ['*.example.co.ke']", "callback_allow: ['example.*.ke']"],
  ["callback_allow: ['::1']", "callback_allow: ['[::1]']"],
  ["callback_allow: [a]", "callback_allow: [a-]"],
])("a config file may say %s, not %s", (most, tooMuch) => {
  expect({ most: isTaken(most), tooMuch: isTaken(tooMuch) }).toEqual({ most: true, tooMuch: false });
});

test.each([
  ["seed: 0", "seed: -1"],
  ["clock: { mode: x10 }", "clock: { mode: x10, scale: 10 }"],
  ["rate_limit: { requests: 1, per: 1ms }", "rate_limit: { requests: 0 }"],
  ["callbacks: { concurrency: 1 }", "callbacks: { concurrency: 0 }"],
  ["callbacks: { concurrency: 10000 }", "callbacks: { concurrency: 10001 }"],
  ["callbacks: { retry: { attempts: 1 } }", "callbacks: { retry: { attempts: 0 } }"],
  ["callbacks: { retry: { attempts: 1000 } }", "callbacks: { retry: { attempts: 1001 } }"],
  ["callbacks: { retry: { on: [timed_out] } }", "callbacks: { retry: { on: [timeout] } }"],
  ["callbacks: { retry: { spacing: [1s] } }", "callbacks: { retry: { spacing: [] } }"],
  ["callbacks: { timeout: 1ms }", "callbacks: { timeout: 0ms }"],
  ["callbacks: { sms: HTTPS://a.test/x?y=z }", "callbacks: { sms: ftp://a.test }"],
  ["callbacks: { sms: http://a.test }", "callbacks: { sms: http:///x }"],
  ["callbacks: { sms: http://a.test }", "callbacks: { sms: xhttp://a.test }"],
  ["callbacks: { sms: http://a.test/x }", "callbacks: { sms: 'http://a.test/x y' }"],
  ["callbacks: { sms: http://a.test:65535 }", "callbacks: { sms: http://a.test:65536 }"],
  ['callbacks: { user_agent: "\\tfrançais" }', 'callbacks: { user_agent: "Ā" }'],
  ["callbacks: { headers: { X-Token: a } }", "callbacks: { headers: { X Token: a } }"],
  ["callbacks: { headers: { Hosts: a } }", "callbacks: { headers: { HOST: a } }"],
  ["sender_ids: [12345, 123456]", "sender_ids: [1234567]"],
  ["sender_ids: [ABCDEFGHIJK]", "sender_ids: [ABCDEFGHIJKL]"],
  ['organization: { office_mobile: "+1234567" }', 'organization: { office_mobile: "+123456" }'],
  ['organization: { office_mobile: "+123456789012345" }', 'organization: { office_mobile: "+1234567890123456" }'],
  ['organization: { office_mobile: "+1234567" }', 'organization: { office_mobile: "0+1234567" }'],
  ["organization: { name: x }", "organization: { name: ' ' }"],
  ["consumer_key: Default", "consumer_key: default"],
  ["consumer_key: a b", 'consumer_key: "a\\tb"'],
  ['consumer_secret: "a:b"', 'consumer_secret: ""'],
])("an account may say %s, not %s", (most, tooMuch) => {
  expect([isTaken(`accounts: [{ ${most} }]`), isTaken(`accounts: [{ ${tooMuch} }]`)]).toEqual([true, false]);
});

function isTaken(text: string): boolean {
  return "value" in parseDocument(text, configSchema, "kredo.config.yaml");
}
