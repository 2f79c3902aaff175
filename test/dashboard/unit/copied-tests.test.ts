import { expect, test } from "vitest";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { copiedTests } from "../../../src/dashboard/views/requests/inspector/copy-as-test.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { accepted, appliedRules, opened, refused } from "../../support/finding-events.ts";

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
