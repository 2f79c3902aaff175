import { expect, test } from "vitest";
import { settleNow } from "../../../src/gateway/engine/commands.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

const callbacks = callbacksTo("http://receiver.test/hook");
const answered = { kind: "answered", status: 200, body: "" } as const;

test("on a clock that runs, draining waits until every result is settled and called back", async () => {
  const answers: (() => void)[] = [];
  const { account, wall } = testWorld({
    account: { clock: { mode: "real" }, callbacks },
    answer: () => new Promise((resolve) => answers.push(() => resolve(answered))),
  });
  buyAirtime(account, 10);
  const drained: boolean[] = [];

  void account.drain(60_000).then((isEmpty) => drained.push(isEmpty));
  wall.advance(1_000);
  await allReady();
  const before = drained.length;
  answers.forEach((answer) => answer());
  await allReady();

  expect({ before, drained }).toEqual({ before: 0, drained: [true] });
});

test("on a clock that runs, draining says after its time that something is left", async () => {
  const { account, wall } = testWorld({ account: { clock: { mode: "real" } } });
  buyAirtime(account, 10);

  const drained = account.drain(999);
  wall.advance(999);

  await expect(drained).resolves.toBe(false);
});

test("on a manual clock, draining waits for what is in flight and says whether something is left", async () => {
  const answers: (() => void)[] = [];
  const { account } = testWorld({
    account: { callbacks },
    answer: () => new Promise((resolve) => answers.push(() => resolve(answered))),
  });
  const { requestId } = buyAirtime(account, 10);
  const queued = await account.drain(1_000);
  settleNow(account, requestId, undefined);
  const drained: boolean[] = [];

  void account.drain(1_000).then((isEmpty) => drained.push(isEmpty));
  await allReady();
  const before = drained.length;
  answers.forEach((answer) => answer());
  await allReady();

  expect({ queued, before, drained }).toEqual({ queued: false, before: 0, drained: [true] });
});

test("a result that never comes is not waited for, and counts as stuck until it is settled by hand", async () => {
  const { account } = await scriptedWorld(rule("then: { result: { stuck: true } }"));
  const { requestId } = buyAirtime(account, 10);

  const isEmpty = await account.drain(1_000);
  const before = { stuck: account.state.stuck, held: account.state.wallet.held };
  settleNow(account, requestId, undefined);
  await account.drain(1_000);

  expect({ isEmpty, before }).toEqual({ isEmpty: true, before: { stuck: 1, held: 950 } });
  expect({ stuck: account.state.stuck, held: account.state.wallet.held, pending: account.state.pending }).toEqual({
    stuck: 0,
    held: 0,
    pending: 0,
  });
});
