import { expect, test } from "vitest";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { readTimeline } from "../../../src/gateway/account/readings/timeline.ts";
import { setClock } from "../../../src/gateway/engine/commands.ts";
import { SINK_URL } from "../../../src/gateway/domain/callback-outcome.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { limitRequests, rule, script } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import {
  accountSettings,
  buyAirtime,
  callbacksTo,
  refuseRequest,
  type TestWorld,
  testWorld,
  WALL_START,
} from "../../support/gateway/world.ts";

const HOOK = callbacksTo("http://localhost:3000/hook");

test("an attempt under way when the process ended is repeated, and marked as possibly repeated", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { callbacks: HOOK }, answer: never });
  const { requestId } = buyAirtime(before.account, 10);
  await cutOff(before);

  const { account, sent } = restarted(store, { account: { callbacks: HOOK } });
  account.wake();
  const { fired } = await account.advance({ by: 0 }, 1_000);

  expect(sent).toHaveLength(1);
  expect(fired).toMatchObject([
    { requestId, attempt: 1, possiblyRepeated: true, outcome: { kind: "answered", status: 200 } },
  ]);
  expect(account.state.pending).toBe(0);
});

test.each([", gap: 500ms", ", gap: 0ms", ""])(
  "a callback that is doubled { times: 2%s } is sent twice where journals last, and is no repetition",
  async (gap) => {
    const { account, sent } = testWorld({ store: lastingStore(), account: { callbacks: HOOK } });
    await script(account, rule(`then: { callback: { times: 2${gap} } }`));
    const { requestId } = buyAirtime(account, 10);

    const { fired } = await account.advance({ by: 10_000 }, 1_000);

    expect(sent).toHaveLength(2);
    expect(fired).toMatchObject([
      { requestId, delivery: 1, attempt: 1 },
      { requestId, delivery: 2, attempt: 2 },
    ]);
    expect(fired.filter(({ possiblyRepeated }) => possiblyRepeated)).toEqual([]);
    expect(account.state.pending).toBe(0);
  },
);

test("an attempt that waits for a free connection is not begun once a reset has forgotten its order", async () => {
  const store = lastingStore();
  const callbacks = { ...HOOK, concurrency: 1 };
  const { account, sent } = testWorld({ store, account: { callbacks }, answer: never });
  buyAirtime(account, 10);
  buyAirtime(account, 20);
  void account.advance({ by: 1_000 }, 1_000);
  await allReady();

  account.reset();
  await allReady();

  expect(sent).toHaveLength(1);
  expect(account.journal.read().events.map(({ kind }) => kind)).not.toContain("attempt-begun");
});

test("the timeline shows both attempts", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { callbacks: HOOK }, answer: never });
  const { requestId } = buyAirtime(before.account, 10);
  await cutOff(before);
  const { account } = restarted(store, { account: { callbacks: HOOK } });
  account.wake();
  await account.advance({ by: 0 }, 1_000);

  const transaction = account.state.transactions.get(requestId);
  const entries = readTimeline(transaction ?? unknown(requestId), account.journal.read().events, { limit: 3_000 });

  expect(entries.map(({ event, text }) => [event, text])).toEqual([
    ["accepted", expect.any(String)],
    ["settled", expect.any(String)],
    ["attempt-begun", "Its outcome is not known yet."],
    [
      "attempted",
      "Your receiver answered 200 in 5 ms (possibly repeated: the sandbox stopped during the previous attempt).",
    ],
  ]);
});

test("an attempt whose outcome was recorded is not repeated", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { callbacks: HOOK } });
  buyAirtime(before.account, 10);
  await before.account.advance({ by: 1_000 }, 1_000);

  const { account, sent } = restarted(store);
  account.wake();
  await account.advance({ by: 60_000 }, 1_000);

  expect(sent).toEqual([]);
  expect(account.state).toEqual(expect.objectContaining({ pending: 0, wallet: { balance: 999_050, held: 0 } }));
});

test("only an attempt that began twice is marked as possibly repeated, not the retry after it", async () => {
  const store = lastingStore();
  const callbacks = { ...HOOK, retry: { attempts: 2, spacing: [500], on: ["not_200"] } } as const;
  const before = testWorld({ store, account: { callbacks }, answer: never });
  buyAirtime(before.account, 10);
  await cutOff(before);

  const { account } = restarted(store, {
    account: { callbacks },
    answer: () => ({ kind: "answered", status: 500, body: "" }),
  });
  account.wake();
  const { fired } = await account.advance({ by: 1_000 }, 1_000);

  expect(fired.map(({ attempt, possiblyRepeated }) => [attempt, possiblyRepeated])).toEqual([
    [1, true],
    [2, undefined],
  ]);
});

test("a store that ends with the process records nothing before an attempt", async () => {
  const { account } = testWorld({ account: { callbacks: HOOK } });
  buyAirtime(account, 10);

  await account.advance({ by: 1_000 }, 1_000);

  expect(account.journal.read().events.map(({ kind }) => kind)).toEqual(["opened", "accepted", "settled", "attempted"]);
});

test("what fell due while the process was down happens once the account is woken", async () => {
  const store = lastingStore();
  const real = { clock: { mode: "real" }, callbacks: callbacksTo(SINK_URL) } as const;
  const before = testWorld({ store, account: real });
  const { requestId } = buyAirtime(before.account, 10);

  const { account, wall } = restarted(store, { account: real, startAt: WALL_START + 3_600_000 });
  wall.advance(5_000);
  await allReady();
  const asleep = account.state.transactions.get(requestId)?.progress.state;
  account.wake();
  wall.advance(0);
  await allReady();
  wall.advance(0);
  await allReady();

  expect({ asleep, state: account.state.transactions.get(requestId)?.progress.state }).toEqual({
    asleep: "queued",
    state: "succeeded",
  });
  expect(account.state.pending).toBe(0);
});

test.each([
  ["real", { mode: "real" }, 3_600_000],
  ["manual", { mode: "manual" }, 7_000],
  ["scaled", { mode: "scaled", scale: 60 }, 7_000],
] as const)("a %s clock continues as it should", async (_name, clock, later) => {
  const store = lastingStore();
  const before = testWorld({ store, account: { clock: { mode: "manual" } } });
  await before.account.advance({ by: 7_000 }, 0);
  before.wall.advance(7_000);
  await setClock(before.account, clock, 0);

  const { account } = restarted(store, { startAt: WALL_START + 3_600_000 });
  account.wake();

  expect(account.now()).toBe(WALL_START + later);
});

test("what a scenario set stays, and the account's own URLs go on being its owner's", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { callbacks: callbacksTo("https://app.example.com/hook") } });
  limitRequests(before.account, 2);

  const { account } = restarted(store, { account: { rate_limit: { requests: 9, per: 1_000 } } });

  expect(settingsInForce(account.state).rate_limit).toEqual({ requests: 2, per: 60_000 });
  expect(account.isOwnersUrl("https://app.example.com/hook")).toBe(true);
});

test("accounts come back in the order in which they began, those that are resumed by name first", () => {
  const store = lastingStore();
  const before = testWorld({ store });
  ["b", "a", "c"].forEach((consumerKey) => before.world.open(accountSettings({ consumer_key: consumerKey })));
  refuseRequest(before.world.sandbox, 401);
  buyAirtime(before.account, 10);

  const { world } = restarted(store, { account: { consumer_key: "a" } });
  world.resumeAll();
  const { pending } = world;

  expect(world.list().map(({ consumerKey }) => consumerKey)).toEqual(["a", "sandbox-key", "b", "c"]);
  expect(pending).toBe(1);
  expect({ opened: world.opened, again: world.resume("a") }).toEqual({ opened: 4, again: undefined });
  expect(world.sandbox.state.requests).toBe(1);
});

test("what came before the last beginning is forgotten, where the process ended before it could be", async () => {
  const store = lastingStore();
  const forgetful = { ...store, trim: () => {} };
  const before = testWorld({ store: forgetful });
  refuseRequest(before.account, 401);
  before.account.reset();
  refuseRequest(before.account, 401);

  const { account } = restarted(store);
  await allReady();

  expect(account.journal.read()).toMatchObject({ first: 3, events: [{ kind: "opened" }, { kind: "refused" }] });
  expect({
    version: account.journal.version,
    evicted: account.journal.evicted,
    requests: account.state.requests,
  }).toEqual({
    version: 4,
    evicted: 0,
    requests: 1,
  });
});

test("evictions continue to be counted", async () => {
  const store = lastingStore();
  const bounds = { max_transactions: 5 };
  const before = testWorld({ store, bounds });
  repeat(300, () => refuseRequest(before.account, 422));
  await allReady();

  const { account } = restarted(store, { bounds });

  expect(before.account.journal.evicted).toBeGreaterThan(200);
  expect(account.journal.evicted).toBe(before.account.journal.evicted);
});

function repeat(times: number, work: () => void): void {
  for (let count = 0; count < times; count += 1) work();
}

/** Time goes on until a callback is under way that nobody answers. */
async function cutOff({ account }: TestWorld): Promise<void> {
  void account.advance({ by: 1_000 }, 1_000);
  await allReady();
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function unknown(requestId: string): never {
  throw new Error(`no transaction ${requestId}`);
}
