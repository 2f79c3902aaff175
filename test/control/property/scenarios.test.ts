import fc from "fast-check";
import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { importJournal } from "../../../src/control/import-journal.ts";
import { isPending } from "../../../src/gateway/account/transaction.ts";
import { available } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios } from "../../../src/gateway/engine/commands.ts";
import { journalDocument } from "../../../src/control/journal.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { anyStep, retrying, type Step, take } from "../../support/gateway/steps.ts";
import { testWorld, type TestWorld } from "../../support/gateway/world.ts";
import { writeOut } from "../../support/gateway/write-out.ts";

const matcher = fc.constantFrom(
  "operation: airtime",
  "operation: sms",
  'phone_number: "25471*"',
  "amount: { gte: 1000 }",
  "balance: { lt: 2000 }",
  "first: 2",
  "every: 3, per: phone_number",
  "after: 1",
  "probability: 0.5",
  "during: { from: 0s, to: 2s }",
  "carrier: airtel",
);
const effect = fc.constantFrom(
  "refuse: 429",
  "connection: reset_after_accept",
  "ack: { delay: { uniform: [1s, 2s] } }",
  "result: { stuck: true }",
  "result: { result_code: 404 }",
  'result: { charge: "9999" }',
  'result: { charge: "0.01", delay: 250ms }',
  "result: { hold_until: 4s }",
  "result: { carrier: airtel }",
  "callback: { drop: true }",
  "callback: { times: 3, gap: 400ms, contradict: true }",
  "callback: { reorder: 1 }",
  "callback: { reorder: 2, times: 2 }",
  "callback: { malformed: true, unknown_id: true, wrong_content_type: true }",
);
const action = fc.constantFrom(
  'wallet: { balance: "3.00" }',
  "credentials: revoked",
  "credentials: { secret: other-secret }",
  "sender_id: { SANDBOX: revoked }",
  "carrier: { airtel: down }",
  "carrier: { airtel: up }",
  "carrier: { safaricom: down }",
  "rate_limit: { requests: 3, per: 1m }",
  "rule: { r0: off }",
);
const scenario = fc
  .record({
    rules: fc.array(fc.tuple(matcher, effect, fc.boolean()), { maxLength: 5 }),
    timeline: fc.array(fc.tuple(fc.integer({ min: 0, max: 6_000 }), action), { maxLength: 4 }),
    balance: fc.constantFrom("", 'setup: { wallet: { balance: "900.00" } }\n'),
  })
  .map(({ rules, timeline, balance }) => scenarioOf(`version: 1\nname: s\n${balance}${written({ rules, timeline })}`));

const steps = fc.array(anyStep, { maxLength: 30 });

test("whatever scenarios do, the wallet can pay its holds, and no transaction is lost or counted twice", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, steps, async (running, taken) => {
      const { account, faults } = await run(running, taken);

      expect(faults).toEqual([]);
      expect(wrongWith(account)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("the journal of a scripted account folds to its state, also as a document that another account takes", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, steps, fc.constantFrom(1, 10_000), async (running, taken, maxTransactions) => {
      const { account } = await run(running, taken, maxTransactions);
      const { events } = account.journal.read();

      const written = JSON.parse(JSON.stringify({ kredo: "0", consumer_key: "k", number: 1, events }));
      const imported = importJournal(
        journalDocument.parse(written).events,
        { consumer_key: account.consumerKey },
        () => true,
      );

      expect(writeOut(foldJournal(imported))).toBe(writeOut(account.state));
    }),
    { numRuns: 100 },
  );
});

test("the same seed gives the same journal", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, steps, async (running, taken) => {
      const [one, other] = [await run(running, taken), await run(running, taken)];

      expect(one.account.journal.read()).toEqual(other.account.journal.read());
    }),
    { numRuns: 50 },
  );
});

interface Parts {
  readonly rules: readonly (readonly [string, string, boolean])[];
  readonly timeline: readonly (readonly [number, string])[];
}

/** A timeline may name the rule r0, so there is one. */
function written({ rules, timeline }: Parts): string {
  const all = [["operation: sms", "wallet: 900", true] as const, ...rules];
  const lines = all.map(
    ([when, then, goesOn], index) =>
      `  - { name: r${index}, when: { ${when} }, then: { ${then} }, continue: ${goesOn} }`,
  );
  const times = timeline
    .toSorted(([one], [other]) => one - other)
    .map(([at, what]) => `  - { at: ${at}ms, do: { ${what} } }`);
  return [`rules:`, ...lines, ...(times.length === 0 ? [] : ["timeline:", ...times])].join("\n");
}

async function run(
  running: ReturnType<typeof scenarioOf>,
  taken: readonly Step[],
  maxTransactions = 10_000,
): Promise<TestWorld> {
  const world = testWorld({
    account: { callbacks: retrying(2) },
    bounds: { max_transactions: maxTransactions },
    answer: ({ body }) =>
      body.includes('"result_code":200') ? { kind: "answered", status: 200, body: "" } : { kind: "reset" },
  });
  const watched: unknown[] = world.faults;
  world.account.journal.observe(() => watched.push(...wrongWith(world.account)));
  beginScenarios(world.account, [{ scenario: running, trusted: true }]);
  for (const step of taken) await take(world.account, step);
  // A callback that was begun by hand may still be on its way.
  await world.account.advance({ by: 0 }, 60_000);
  return world;
}

function wrongWith({ state }: RunningAccount): string[] {
  const all = [...state.transactions.values()];
  const held = all.reduce(
    (sum, { accepted, progress }) =>
      sum + (progress.state === "queued" || progress.state === "stuck" ? accepted.hold : 0),
    0,
  );
  return [
    ...(held === state.wallet.held ? [] : [`holds of ${held}, and ${state.wallet.held} held`]),
    ...(available(state.wallet) < 0 ? [`${available(state.wallet)} available`] : []),
    ...(all.filter((one) => isPending(one)).length === state.pending ? [] : ["pending"]),
    ...(all.filter(({ progress }) => progress.state === "stuck").length === state.stuck ? [] : ["stuck"]),
  ];
}
