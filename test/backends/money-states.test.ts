import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import { rehearseTexts } from "../support/rehearse.ts";
import { type Behaviour, startSmallShop } from "../verdict/small-shop.ts";
import {
  balanceWith,
  CHARGES,
  CHARGES_AND_REFUNDS_TWICE,
  CREDITS_AFTER_SILENCE,
  DEBITS_AFTER_SILENCE,
  HOLDS_A_DEPOSIT,
  limited,
  NEVER_REFUNDS,
  OWED_IN_CENTS,
  WITH_NOISE,
} from "./shops/money-states.ts";

const IN_CENTS = balanceWith(", unit: cents, owed: true");

// Most of the time, these wait for an application whose money might still become right, so they wait together.

test.concurrent.each<[string, Behaviour, string[]]>([
  ["holds a deposit for open orders", HOLDS_A_DEPOSIT, ["reset-after-accept", "callback-dropped", "result-failed"]],
  ["sells for what the gateway charges", CHARGES, ["reset-after-accept", "callback-dropped", "result-failed"]],
  ["says in cents what is owed", { balance: OWED_IN_CENTS, map: IN_CENTS }, ["reset-after-accept", "result-failed"]],
  ["shows its balance with binary noise", { balance: WITH_NOISE }, ["reset-after-accept", "result-failed"]],
  ["limits each second question for its balance", { balance: limited() }, ["reset-after-accept", "result-failed"]],
])("a shop that %s is right in every state of an order", async (_what, behaviour, faults) => {
  const { exitCode, json } = await exploreShop(behaviour, faults);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
  expect(json.trials.filter(({ verdict }) => verdict === "not assessed")).toEqual([]);
});

test.concurrent.each<[string, Behaviour, string, string, string]>([
  [
    "debits an order three times after silence",
    { answered: DEBITS_AFTER_SILENCE },
    "reset-after-accept",
    "wrong-debit",
    "the customer was debited KES 204.00",
  ],
  [
    "credits an order that was not delivered",
    { answered: CREDITS_AFTER_SILENCE },
    "reset-before-accept",
    "wrong-debit",
    "the customer was credited KES 68.00",
  ],
  [
    "sells for what the gateway charges, and refunds twice",
    CHARGES_AND_REFUNDS_TWICE,
    "result-failed",
    "wrong-debit",
    "the customer was credited KES 68.00",
  ],
  [
    "says in cents what is owed, and never refunds",
    { balance: OWED_IN_CENTS, map: IN_CENTS, receive: NEVER_REFUNDS },
    "result-failed",
    "not-refunded",
    "the customer was debited KES 68.00",
  ],
  [
    "shows its balance with binary noise, and never refunds",
    { balance: WITH_NOISE, receive: NEVER_REFUNDS },
    "result-failed",
    "not-refunded",
    "the customer was debited KES 68.00",
  ],
])("a shop that %s is told so", async (_what, behaviour, fault, id, seen) => {
  const { exitCode, json } = await exploreShop(behaviour, [fault]);

  expect(defectsIn(json)).toMatchObject([{ id, seen: expect.stringContaining(seen) }]);
  expect(exitCode).toBe(1);
});

test.concurrent("money that was not read in most trials is no verdict, with the reason", async () => {
  const { exitCode, json, complained } = await exploreShop({ balance: limited(4) }, [
    "result-failed",
    "callback-twice",
  ]);

  expect(json.trials.slice(1).map(({ verdict, verdicts }) => ({ verdict, verdicts }))).toMatchObject(
    ["airtime-1-result-failed", "airtime-1-callback-twice"].map(() => ({
      verdict: "not assessed",
      verdicts: [
        { is: "right" },
        { id: "wrong-debit", is: "not assessed", seen: "the customer's balance tells nothing: answered 429: {}" },
      ],
    })),
  );
  expect(complained).toContain("too little could be assessed for a verdict");
  expect(exitCode).toBe(3);
});

const FAILS = `version: 1
name: fails
scenario: { version: 1, name: fails, rules: [{ name: fails, then: { result: { outcome: failed } } }] }
steps: [{ order: { operation: airtime } }]
`;

test.concurrent("a balance of cents owed is asked about, and never told as a wrong debit of a plain order", async () => {
  const shop: Behaviour = { balance: OWED_IN_CENTS, receive: NEVER_REFUNDS };
  const both =
    /was credited KES [\d,]+00\.00; by the app map, it costs KES \d+\.00\. If that is meant, say so in the app map, like balance: { unit: cents, owed: true }/;

  const { exitCode, complained } = await exploreShop(shop, ["result-failed"]);
  const rehearsed = await rehearseShop(shop, FAILS);

  expect([exitCode, rehearsed.exitCode]).toEqual([3, 3]);
  expect(complained).toMatch(both);
  expect(rehearsed.complained).toMatch(both);
});

async function exploreShop(behaviour: Behaviour, faults: readonly string[]): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  return await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults)]);
}

async function rehearseShop(behaviour: Behaviour, rehearsal: string) {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  return await rehearseTexts([rehearsal], { map: shop.appMap, flags: ["--url", sandbox.url] });
}
