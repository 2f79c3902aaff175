import { expect, test } from "vitest";
import { NotTheOwner } from "../../../src/gateway/ports/journal-store.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { stateOf } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

const real = { clock: { mode: "real" }, callbacks: callbacksTo("http://receiver.test/hook") } as const;
const answered = { kind: "answered", status: 200, body: "" } as const;
const never = () => new Promise<never>(() => {});

test.each([
  ["a callback in flight is answered", "http://receiver.test/hook", "attempted"],
  ["the copy of a callback is answered, too,", "http://second.test/hook", "copied"],
])("work stops once %s and recorded", async (_what, awaited, last) => {
  const answers: (() => void)[] = [];
  const copy = { url: "http://second.test/hook", trusted: true };
  const { account, wall } = testWorld({
    account: { ...real, callbacks: { ...real.callbacks, urls: { ...real.callbacks.urls, copy } } },
    answer: ({ url }) => (url === awaited ? new Promise((resolve) => answers.push(() => resolve(answered))) : answered),
  });
  buyAirtime(account, 10);
  wall.advance(1_000);
  await allReady();

  const stopped = stopWork(account);
  await allReady();
  const before = [...stopped];
  answers.forEach((answer) => answer());
  await allReady();

  expect({ before, stopped }).toEqual({ before: [], stopped: ["stopped"] });
  expect(account.state.pending).toBe(0);
  expect(account.journal.read().events.map(({ kind }) => kind)).toContain(last);
});

test("work stops once every client has its acknowledgment", async () => {
  const { account } = testWorld({ account: real });
  const first = buyAirtime(account, 10);
  const second = buyAirtime(account, 20);
  account.holdCallbacks(first);
  account.holdCallbacks(second);

  const stopped = stopWork(account);
  account.releaseCallbacks(first);
  await allReady();
  const before = [...stopped];
  account.releaseCallbacks(second);
  await allReady();

  expect({ before, stopped }).toEqual({ before: [], stopped: ["stopped"] });
});

test("a callback that waits for its acknowledgment is still sent before work stops", async () => {
  const { account, wall, sent } = testWorld({ account: real });
  const held = buyAirtime(account, 10);
  account.holdCallbacks(held);
  wall.advance(1_000);
  await allReady();

  const stopped = stopWork(account);
  await allReady();
  const before = [...stopped];
  account.releaseCallbacks(held);
  await allReady();

  expect({ before, stopped }).toEqual({ before: [], stopped: ["stopped"] });
  expect(sent).toHaveLength(1);
});

test.each([
  ["goes on if a client still waits for its acknowledgment, which is told", true, "succeeded"],
  ["stays stopped if no client waits", false, "queued"],
])("work that was stopped %s", async (_what, waits, state) => {
  const { account, wall } = testWorld({ account: real });
  const order = buyAirtime(account, 10);
  if (waits) account.holdCallbacks(order);
  void account.stopWork(0);
  await allReady();

  const isResumed = account.resumeIfAwaited();
  wall.advance(1_000);
  await allReady();

  expect({ isResumed, isWaitedFor: account.isWaitedFor }).toEqual({ isResumed: waits, isWaitedFor: waits });
  expect(stateOf(account, order.requestId)).toBe(state);
});

test("work stops in time, though a receiver does not answer", async () => {
  const { account, wall } = testWorld({ account: real, answer: never });
  buyAirtime(account, 10);
  wall.advance(1_000);
  await allReady();

  const stopped = stopWork(account);
  await allReady();
  wall.advance(999);
  await allReady();
  const before = [...stopped];
  wall.advance(1);
  await allReady();

  expect({ before, stopped }).toEqual({ before: [], stopped: ["stopped"] });
});

test("an advance in progress is finished before work stops, and later calls are left to the next owner", async () => {
  const { account } = testWorld({ account: { callbacks: real.callbacks } });
  buyAirtime(account, 10);

  const advancing = account.advance({ by: 1_000 }, 1_000);
  await account.stopWork(1_000);

  await expect(advancing).resolves.toMatchObject({ isComplete: true, fired: [{ attempt: 1 }] });
  await expect(account.until(() => true, 1_000)).rejects.toThrow(NotTheOwner);
});

/** Lists "stopped" once the work has stopped, within a second. */
function stopWork(account: RunningAccount): string[] {
  const stopped: string[] = [];
  void account.stopWork(1_000).then(() => stopped.push("stopped"));
  return stopped;
}
