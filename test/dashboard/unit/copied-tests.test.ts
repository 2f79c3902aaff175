import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { copiedTests } from "../../../src/dashboard/views/requests/inspector/copy-as-test.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { type ParsedScenario, scenarioSchema } from "../../../src/gateway/scenario/schema.ts";
import { accepted, appliedRules, attempted, opened, refused, settled } from "../../support/finding-events.ts";
import { sms } from "../../support/gateway/world.ts";

/** The copied tests of the latest request. */
function copiedOf(...events: readonly AccountEvent[]): Readonly<Record<string, string>> {
  const reading = new AccountReading();
  for (const [index, event] of [opened(), ...events].entries()) reading.take({ number: index + 1, event });
  return copiedTests(reading.rows.at(-1)?.sale ?? []);
}

const lost = appliedRules({ breakage: "reset" });

test("what is pending is asserted as it will come", () => {
  const { Vitest: text = "" } = copiedOf(accepted("one", 0, { rules: lost }));

  expect(text).toContain('state: "succeeded", known: "delivered, under an id it never got"');
});

test("what was sold twice is asserted to be sold once, though both requests are sent", () => {
  const { Vitest: text = "" } = copiedOf(accepted("one", 0, { rules: lost }), accepted("two", 2));

  expect({ title: text.includes(" is sold once"), sent: text.match(/await post\(/g)?.length }).toEqual({
    title: true,
    sent: 2,
  });
});

test("an invalid request is sent as it came, and no rule refuses it", () => {
  const { Vitest: text = "", Rehearsal: rehearsal } = copiedOf(
    refused("one", 0, { code: 422, order: undefined, body: '{"amount":' }),
  );

  expect(text).toContain(String.raw`await post("/api/v2/airtime", "{\"amount\":", 2000)`);
  expect(text).not.toContain("account.scenario");
  expect(rehearsal).toBeUndefined();
});

test("a refusal is played again, whatever caused it", () => {
  const { order } = accepted("any", 0);

  const { Vitest: text = "" } = copiedOf(refused("one", 0, { code: 402, order }));

  expect(text).toContain('{ name: "402", when: { first: 1 }, then: { refuse: 402 } }');
});

const { plan } = accepted("", 0);
const DROPPED = { deliveries: [], dropped: "a rule drops it", before_ack: false, reorder: 0 };
const EARLY = { deliveries: [{ after: 0, scripted: {} }], before_ack: true, reorder: 0 };
const FAILED = { outcome: "failed", resultCode: 500, resultDesc: "Failed." } as const;

test.each<[what: string, result: object, events: readonly AccountEvent[]]>([
  [
    "two rules of which one withholds the result and the other drops the callback",
    { stuck: true },
    [accepted("one", 0, { plan: { ...plan, settleAfter: "never", callback: DROPPED } })],
  ],
  [
    "a callback before the answer that had to wait for its carrier",
    { delay: { fixed: 99_000 } },
    [accepted("one", 0, { plan: { ...plan, settleAfter: 0, callback: EARLY } }), settled("one", 99)],
  ],
  [
    "a failure that was charged",
    { result_code: 500, charge: 1_250 },
    [
      accepted("one", 0, { plan: { ...plan, result: FAILED, charge: cents(1_250) } }),
      settled("one", 1, { outcome: "failed", charge: cents(1_250) }),
    ],
  ],
])("the scenario of a copied test can be started: %s", (_, result, events) => {
  const { Vitest: text = "" } = copiedOf(...events);

  expect({ then: scenarioIn(text).rules[0]?.then, early: text.includes("not.toEqual([])") }).toEqual({
    then: { result },
    early: false,
  });
});

test("the scenario of a copied test can be started, however long the names of the rules are that fired", () => {
  const fired = ["🚚", "b"].map((letter) => ({ scenario: "test", rule: letter.repeat(150) }));

  const { Vitest: text = "" } = copiedOf(accepted("one", 0, { rules: { ...lost, fired } }));

  expect(scenarioIn(text).rules).toHaveLength(1);
});

test("a copied test sends the very message, whatever it contains", () => {
  const piece = fc.constantFrom(
    "'",
    '"',
    "`",
    "${x}",
    "\\",
    "\n",
    "\r",
    "\u2028",
    "\ud800",
    "🚚",
    "*/",
    "</script>",
    "%s",
    "$&",
    "{{amount}}",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const { Vitest: text = "" } = copiedOf(accepted("one", 0, { rules: lost, order: sms(pieces.join("")) }));
      const [, body = ""] = /await post\("[^"]+", (JSON\.stringify\([^]*?\)), \d+\);\n/.exec(text) ?? [];
      expect(JSON.parse(String(evaluate(body)))).toMatchObject({ message: pieces.join("") });
    }),
    { numRuns: 40 },
  );
});

test("a copied test does not show what is secret in the URL of a receiver", () => {
  const attempt = {
    url: "https://user:secret@shop.test/hooks?token=secret",
    outcome: { kind: "unresolved_name" },
  } as const;

  const { Vitest: text = "" } = copiedOf(accepted("one", 0), settled("one", 1), attempted("one", 2, attempt));

  expect(text).toContain('{ airtime: "https://shop.test/hooks" }');
  expect(text).not.toContain("secret");
});

function scenarioIn(text: string): ParsedScenario {
  const [, written = ""] = /account\.scenario\((\{[^]*?\n {2}\})\);\n/.exec(text) ?? [];
  return scenarioSchema.parse(evaluate(written));
}

function evaluate(code: string): unknown {
  return runInNewContext(`(${code})`);
}
