import { expect, test } from "vitest";
import { type CallbackOutcome, RETRY_CAUSES, type RetryCause } from "../../../src/gateway/domain/callback-outcome.ts";
import type { RetryPolicy } from "../../../src/gateway/settings/callbacks.ts";
import { resend } from "../../../src/gateway/engine/commands.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";
import { isUnresolved } from "../../../src/gateway/account/transaction.ts";

const answered = (status: number): CallbackOutcome => ({ kind: "answered", status, body: "" });
const FAILURES: [RetryCause, CallbackOutcome][] = [
  ["timed_out", { kind: "timed_out" }],
  ["refused", { kind: "refused" }],
  ["reset", { kind: "reset" }],
  ["unresolved_name", { kind: "unresolved_name" }],
  ["tls", { kind: "tls", reason: "self-signed" }],
  ["redirect", { kind: "redirect", status: 302, location: "/", body: "" }],
  ["not_200", answered(500)],
  ["not_200", answered(201)],
];

test("by default, a callback is tried once, whatever the outcome", async () => {
  const { account } = testWorld({
    account: { callbacks: callbacksTo("http://receiver.test/hook") },
    answer: () => ({ kind: "timed_out" }),
  });
  buyAirtime(account, 10);

  await account.advance({ by: 1_000_000 }, 0);

  expect(triesOf(account)).toEqual([1_000]);
  expect(account.state.pending).toBe(0);
});

test.each(FAILURES)("a callback that ended %s is tried again where the policy names that", async (cause, outcome) => {
  const account = retryingAccount({ attempts: 2, spacing: [700], on: [cause] }, outcome);

  await account.advance({ by: 1_000_000 }, 0);

  expect(triesOf(account)).toEqual([1_000, 1_700]);
});

test.each(FAILURES)(
  "a callback that ended %s is not tried again where the policy names all but that",
  async (cause, outcome) => {
    const on = RETRY_CAUSES.filter((each) => each !== cause);
    const account = retryingAccount({ attempts: 2, spacing: [700], on }, outcome);

    await account.advance({ by: 1_000_000 }, 0);

    expect(triesOf(account)).toEqual([1_000]);
  },
);

test.each<[string, CallbackOutcome]>([
  ["was acknowledged", answered(200)],
  ["was blocked", { kind: "blocked", reason: "metadata address" }],
])("a callback that %s is never tried again", async (_name, outcome) => {
  const account = retryingAccount({ attempts: 5, spacing: [700], on: RETRY_CAUSES }, outcome);

  await account.advance({ by: 1_000_000 }, 0);

  expect(triesOf(account)).toEqual([1_000]);
});

test.each<[string, number[], number[]]>([
  ["each in its turn", [1, 20, 300], [1_000, 1_001, 1_021, 1_321]],
  ["the last again and again", [1, 20], [1_000, 1_001, 1_021, 1_041]],
  ["at once where none is given", [], [1_000, 1_000, 1_000, 1_000]],
  ["at once where it is nothing", [0], [1_000, 1_000, 1_000, 1_000]],
])("tries are spaced on the account's clock: %s", async (_name, spacing, tries) => {
  const account = retryingAccount({ attempts: 4, spacing, on: RETRY_CAUSES }, answered(503));

  await account.advance({ by: 1_000_000 }, 0);

  expect(triesOf(account)).toEqual(tries);
});

test("tries end with the first that is acknowledged", async () => {
  const outcomes = [answered(500), answered(500), answered(200)];
  const account = retryingAccount(
    { attempts: 9, spacing: [10], on: ["not_200"] },
    () => outcomes.shift() ?? { kind: "reset" },
  );

  await account.advance({ by: 1_000_000 }, 0);

  expect(triesOf(account)).toEqual([1_000, 1_010, 1_020]);
});

test("a resend is a delivery of its own, with its own attempts and the same bytes", async () => {
  const sandbox = testWorld({
    account: {
      callbacks: callbacksTo("http://receiver.test/hook", { retry: { attempts: 2, spacing: [100], on: ["not_200"] } }),
    },
    answer: () => answered(500),
  });
  const { account, sent } = sandbox;
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000_000 }, 0);
  buyAirtime(account, 20);

  resend(account, [requestId]);
  await allReady();
  await account.advance({ by: 100 }, 0);

  const progress = account.state.transactions.get(requestId)?.progress;
  expect(progress).toMatchObject({
    deliveries: [
      { number: 1, cause: "result", tries: 2, next: "none" },
      { number: 2, cause: "resend", tries: 2, next: "none" },
    ],
    attempts: [1, 2, 3, 4].map((attempt) => ({ attempt, delivery: attempt < 3 ? 1 : 2 })),
  });
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});

function retryingAccount(retry: RetryPolicy, outcome: CallbackOutcome | (() => CallbackOutcome)): RunningAccount {
  const answer = typeof outcome === "function" ? outcome : (): CallbackOutcome => outcome;
  const { account } = testWorld({
    account: { callbacks: callbacksTo("http://receiver.test/hook", { retry }) },
    answer,
  });
  buyAirtime(account, 10);
  return account;
}

/** When the account's only transaction was tried, in milliseconds from the start. */
function triesOf({ state }: RunningAccount): number[] {
  return [...state.transactions.values()].flatMap(({ progress }) =>
    isUnresolved(progress) ? [] : progress.attempts.map(({ at }) => at - WALL_START),
  );
}
