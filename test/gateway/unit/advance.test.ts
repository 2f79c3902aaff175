import { expect, test } from "vitest";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { LAST_MOMENT } from "../../../src/gateway/domain/time.ts";
import type { Advanced } from "../../../src/gateway/engine/advance.ts";
import { resend, setClock, settleNow } from "../../../src/gateway/engine/commands.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, sendSms, testWorld, WALL_START } from "../../support/gateway/world.ts";

const HOOK = "http://receiver.test/hook";
const account = { callbacks: callbacksTo(HOOK) };
const answered = { kind: "answered", status: 200, body: "" } as const;

test("advances by a length of time and delivers what falls due on the way, in order", async () => {
  const sandbox = testWorld({ account });
  const first = buyAirtime(sandbox.account, 10);
  await sandbox.account.advance({ by: 400 }, 1_000);
  const second = sendSms(sandbox.account, "Habari");

  const advanced = await sandbox.account.advance({ by: 5_000 }, 1_000);

  expect(told(advanced)).toEqual([
    [first.requestId, 1_000],
    [second.requestId, 1_400],
  ]);
  expect(advanced.now).toBe(WALL_START + 5_400);
  expect(sandbox.account.now()).toBe(WALL_START + 5_400);
});

test("refuses to go beyond the last moment that a clock can show", async () => {
  const sandbox = testWorld();
  await setClock(sandbox.account, { mode: "manual", start: LAST_MOMENT - 1_000 }, 0);

  const advancing = sandbox.account.advance({ by: 2_000 }, 1_000);

  await expect(advancing).rejects.toThrow("the clock would go beyond 9999-12-31T23:59:59.999Z");
});

test("goes to the next thing that is due, and does everything due at that moment, in order", async () => {
  const sandbox = testWorld({ account });
  const bought = [10, 20, 30].map((shillings) => buyAirtime(sandbox.account, shillings).requestId);

  const advanced = await sandbox.account.advance({ to: "next" }, 1_000);

  expect(advanced.fired.map(({ requestId }) => requestId)).toEqual(bought);
  expect(advanced.now).toBe(WALL_START + 1_000);
});

test("goes nowhere when nothing is due next", async () => {
  const sandbox = testWorld({ account });

  const advanced = await sandbox.account.advance({ to: "next" }, 1_000);

  expect(advanced).toEqual({ now: WALL_START, fired: [], firedTotal: 0, silent: [], silentTotal: 0, isComplete: true });
});

test("does what is overdue, at the moment it is, when sent to the next thing", async () => {
  const sandbox = testWorld({ account: { ...account, clock: { mode: "scaled", scale: 1 } } });
  buyAirtime(sandbox.account, 10);
  await setClock(sandbox.account, { mode: "manual", start: WALL_START + 60_000 }, 1_000);

  const advanced = await sandbox.account.advance({ to: "next" }, 1_000);

  expect(told(advanced)).toEqual([[expect.any(String), 60_000]]);
});

test("goes to a moment, the one it shows included", async () => {
  const sandbox = testWorld();

  await sandbox.account.advance({ to: WALL_START + 5 }, 1_000);
  const again = await sandbox.account.advance({ to: WALL_START + 5 }, 1_000);

  expect(again.now).toBe(WALL_START + 5);
});

test.each([{ to: WALL_START - 1 }, { by: -1 }])("refuses to go back: %o", async (target) => {
  const sandbox = testWorld();

  await expect(sandbox.account.advance(target, 1_000)).rejects.toMatchObject({ kind: "invalid" });
});

test.each([{ mode: "real" }, { mode: "scaled", scale: 2 }] as const)(
  "refuses 409 on a clock that is $mode",
  async (clock) => {
    const sandbox = testWorld({ account: { clock } });

    await expect(sandbox.account.advance({ by: 1 }, 1_000)).rejects.toMatchObject({ kind: "conflict" });
  },
);

test("refuses 409 while it is being advanced, and works again afterwards", async () => {
  const sandbox = testWorld();
  const first = sandbox.account.advance({ by: 1 }, 1_000);

  await expect(sandbox.account.advance({ by: 1 }, 1_000)).rejects.toMatchObject({ kind: "conflict" });

  await first;
  await expect(sandbox.account.advance({ by: 1 }, 1_000)).resolves.toMatchObject({ now: WALL_START + 2 });
});

test("stops where the clock is when wall time runs out, and can be sent on", async () => {
  const sandbox = testWorld({
    account,
    answer: async () => {
      sandbox.wall.advance(600);
      await allReady();
      return answered;
    },
  });
  buyAirtime(sandbox.account, 10);
  await sandbox.account.advance({ by: 100 }, 1_000);
  buyAirtime(sandbox.account, 20);
  await sandbox.account.advance({ by: 100 }, 1_000);
  buyAirtime(sandbox.account, 30);

  const stopped = await sandbox.account.advance({ by: 60_000 }, 1_000);
  const finished = await sandbox.account.advance({ by: 60_000 }, 1_000);

  expect(stopped).toMatchObject({ isComplete: false, now: WALL_START + 1_100 });
  expect(stopped.fired).toHaveLength(1);
  expect(finished).toMatchObject({ isComplete: true, now: WALL_START + 61_100 });
  expect(finished.fired).toHaveLength(2);
});

test("waits for each receiver before time goes on", async () => {
  const answers: (() => void)[] = [];
  const sandbox = testWorld({ account, answer: () => new Promise((resolve) => answers.push(() => resolve(answered))) });
  buyAirtime(sandbox.account, 10);
  await sandbox.account.advance({ by: 1 }, 1_000);
  buyAirtime(sandbox.account, 20);

  const advancing = sandbox.account.advance({ by: 1_000 }, 1_000);
  await allReady();
  const sentAtFirst = sandbox.sent.length;
  answers.shift()?.();
  await sandbox.wall.turn();
  await allReady();
  const sentThen = sandbox.sent.length;
  answers.shift()?.();

  await expect(advancing).resolves.toMatchObject({ isComplete: true });
  expect({ sentAtFirst, sentThen }).toEqual({ sentAtFirst: 1, sentThen: 2 });
});

test("sends up to eight callbacks that are due at the same moment side by side", async () => {
  const answers: (() => void)[] = [];
  const sandbox = testWorld({ account, answer: () => new Promise((resolve) => answers.push(() => resolve(answered))) });
  for (const shillings of [10, 20, 30, 40, 50, 60, 70, 80, 90]) buyAirtime(sandbox.account, shillings);

  const advancing = sandbox.account.advance({ by: 1_000 }, 1_000);
  await allReady();
  const sideBySide = sandbox.sent.length;
  for (const answer of answers.splice(0)) answer();
  await sandbox.wall.turn();
  await allReady();
  for (const answer of answers.splice(0)) answer();

  await expect(advancing).resolves.toMatchObject({ isComplete: true });
  expect(sideBySide).toBe(8);
  expect(sandbox.sent).toHaveLength(9);
});

test("records callbacks sent side by side in the order in which they were due, whoever answers first", async () => {
  const answers: (() => void)[] = [];
  const sandbox = testWorld({ account, answer: () => new Promise((resolve) => answers.push(() => resolve(answered))) });
  const bought = [10, 20, 30].map((shillings) => buyAirtime(sandbox.account, shillings).requestId);

  const advancing = sandbox.account.advance({ by: 1_000 }, 1_000);
  await allReady();
  for (const answer of answers.splice(0).toReversed()) answer();
  const { fired } = await advancing;

  expect(fired.map(({ requestId }) => requestId)).toEqual(bought);
});

test("waits for a callback that a resend began, at the moment it began", async () => {
  const sandbox = testWorld({ account });
  const { requestId } = buyAirtime(sandbox.account, 10);
  settleNow(sandbox.account, requestId, undefined);
  await sandbox.account.drain(0);
  resend(sandbox.account, [requestId]);

  const advanced = await sandbox.account.advance({ by: 60_000 }, 1_000);

  expect(told(advanced)).toEqual([[requestId, 0]]);
  expect(sandbox.sent).toHaveLength(2);
});

test("goes past a callback that waits for its acknowledgment, and waits for it once that is out", async () => {
  const sandbox = testWorld({
    account,
    answer: () => {
      sandbox.account.releaseCallbacks(held);
      return answered;
    },
  });
  const held = buyAirtime(sandbox.account, 10);
  sandbox.account.holdCallbacks(held);
  const other = buyAirtime(sandbox.account, 20);

  const advanced = await sandbox.account.advance({ by: 60_000 }, 1_000);

  expect(told(advanced)).toEqual([
    [other.requestId, 1_000],
    [held.requestId, 1_000],
  ]);
});

test("is over, incomplete, when the account is reset on the way, even to the same seed and moment", async () => {
  const sandbox = testWorld({
    account,
    answer: async () => {
      sandbox.account.reset();
      return answered;
    },
  });
  buyAirtime(sandbox.account, 10);

  const advanced = await sandbox.account.advance({ by: 60_000 }, 1_000);

  expect(advanced).toMatchObject({ now: WALL_START, firedTotal: 0, silentTotal: 0, isComplete: false });
  expect(sandbox.account.now()).toBe(WALL_START);
  expect(sandbox.account.state.transactions.size).toBe(0);
});

test("is over, incomplete, when a receiver takes the clock off manual", async () => {
  const sandbox = testWorld({
    account,
    answer: async () => {
      await setClock(sandbox.account, { mode: "scaled", scale: 1 }, 1_000);
      return answered;
    },
  });
  buyAirtime(sandbox.account, 10);

  const advanced = await sandbox.account.advance({ by: 60_000 }, 1_000);

  expect(advanced).toMatchObject({ now: WALL_START + 1_000, isComplete: false });
});

test("does a long jump in slices, so that whatever else has come goes first", async () => {
  const sandbox = testWorld({ account: { balance: cents(10_000_000) } });
  for (const shillings of Array.from({ length: 1_000 }, () => 10)) buyAirtime(sandbox.account, shillings);

  const advancing = sandbox.account.advance({ by: 60_000 }, 5_000);
  await allReady();
  const underWay = sandbox.account.state.settlements;
  await advancing;

  expect({ underWay, settled: sandbox.account.state.settlements }).toEqual({ underWay: 256, settled: 1_000 });
});

test("returns the first thousand of what it did, and how many there were", async () => {
  const sandbox = testWorld({ account: { ...account, balance: cents(10_000_000) } });
  const ordered = Array.from({ length: 1_200 }, () => buyAirtime(sandbox.account, 10));

  const { fired, firedTotal, silent, silentTotal } = await sandbox.account.advance({ by: 60_000 }, 5_000);

  expect({
    fired: fired.length,
    firedTotal,
    silent: silent.length,
    silentTotal,
    last: fired.at(-1)?.requestId,
  }).toEqual({
    fired: 1_000,
    firedTotal: 1_200,
    silent: 0,
    silentTotal: 0,
    last: ordered[999]?.requestId,
  });
});

test("returns the first thousand orders that settled without a callback, and their number", async () => {
  const sandbox = testWorld({ account: { balance: cents(10_000_000) } });
  for (const shillings of Array.from({ length: 1_200 }, () => 10)) buyAirtime(sandbox.account, shillings);

  const { silent, silentTotal } = await sandbox.account.advance({ by: 60_000 }, 5_000);

  expect({ silent: silent.length, silentTotal }).toEqual({ silent: 1_000, silentTotal: 1_200 });
});

/** Which requests were called back, and how long after the start. */
function told({ fired }: Advanced): [string, number][] {
  return fired.map(({ requestId, at }: Attempted) => [requestId, at - WALL_START]);
}
