import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

const account = { callbacks: callbacksTo("http://receiver.test/hook") };
const answered = { kind: "answered", status: 200, body: "" } as const;

test("stops an advance when its wall time is over, although a receiver has not answered", async () => {
  const { sandbox } = withSlowReceiver();
  buyAirtime(sandbox.account, 10);

  const advancing = sandbox.account.advance({ by: 60_000 }, 2_000);
  await allReady();
  sandbox.wall.advance(2_000);

  expect(await advancing).toMatchObject({ now: WALL_START + 1_000, firedTotal: 0, silentTotal: 0, isComplete: false });
});

test("reports in the next advance what a receiver answered after the first one had stopped", async () => {
  const { sandbox, receiver } = withSlowReceiver();
  const { requestId } = buyAirtime(sandbox.account, 10);
  const stopped = sandbox.account.advance({ by: 60_000 }, 2_000);
  await allReady();
  sandbox.wall.advance(2_000);
  await stopped;

  const again = sandbox.account.advance({ by: 60_000 }, 2_000);
  receiver.answer();

  expect(await again).toMatchObject({ now: WALL_START + 61_000, fired: [{ requestId, attempt: 1 }], isComplete: true });
});

test("drains a manual clock no longer than it may", async () => {
  const { sandbox } = withSlowReceiver();
  buyAirtime(sandbox.account, 10);
  void sandbox.account.advance({ by: 60_000 }, 30_000);
  await allReady();

  const draining = sandbox.account.drain(2_000);
  await allReady();
  sandbox.wall.advance(2_000);

  expect(await draining).toBe(false);
});

test("counts callbacks that are under way as pending", async () => {
  const { sandbox } = withSlowReceiver();
  const { requestId } = buyAirtime(sandbox.account, 10);

  void sandbox.account.advance({ by: 60_000 }, 30_000);
  await allReady();

  expect(sandbox.account.pending()).toEqual([
    { at: WALL_START + 1_000, task: { kind: "attempt", requestId, delivery: 1 } },
  ]);
});

/** A receiver that answers each callback only when it is told to. */
function withSlowReceiver() {
  const waiting: ((outcome: CallbackOutcome) => void)[] = [];
  const sandbox = testWorld({
    account,
    answer: () => new Promise<CallbackOutcome>((resolve) => waiting.push(resolve)),
  });
  return { sandbox, receiver: { answer: () => waiting.shift()?.(answered) } };
}
