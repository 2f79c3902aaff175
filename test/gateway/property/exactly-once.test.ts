import fc from "fast-check";
import { expect, test } from "vitest";
import { action, actionOrResend, atOnce, CallbackWorld } from "../../support/gateway/callback-world.ts";
import { allReady } from "../../support/gateway/turns.ts";

test("callbacks begin after their acknowledgment, in the order in which they fall due, and never too many at a time", async () => {
  const counted = { callbacks: 0, retries: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60, size: "max" }), atOnce, async (actions, allowed) => {
      const stage = new CallbackWorld(allowed);

      await stage.play(actions);

      const due = stage.dueMoments();
      expect(stage.faults).toEqual([]);
      expect(due).toEqual(due.toSorted((one, other) => one - other));
      counted.callbacks += stage.receivers.begun.length;
      counted.retries += stage.attempted.filter(({ attempt }) => attempt > 1).length;
    }),
    { numRuns: 200 },
  );

  expect(counted.callbacks).toBeGreaterThan(500);
  expect(counted.retries).toBeGreaterThan(20);
});

test("in the end each try was made once and written down once, and nothing is left", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actionOrResend, { maxLength: 60, size: "max" }), atOnce, async (actions, allowed) => {
      const stage = new CallbackWorld(allowed);
      await stage.play(actions);

      await stage.finish();

      const { account } = stage.world;
      const tries = stage.attempted.map(({ requestId, attempt }) => `${requestId} ${attempt}`);
      expect(stage.faults).toEqual([]);
      expect(new Set(tries).size).toBe(tries.length);
      expect(stage.receivers.begun.map(({ requestId }) => requestId).sort()).toEqual(
        stage.attempted.map(({ requestId }) => requestId).sort(),
      );
      expect([...account.state.transactions.values()].every(({ progress }) => progress.state !== "queued")).toBe(true);
      expect(account.callbacksUnderWay).toBe(0);
      expect(account.pending()).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("nothing begins after a close or a reset, and what was under way is abandoned and not written down", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(actionOrResend, { maxLength: 40, size: "max" }),
      atOnce,
      fc.boolean(),
      async (actions, allowed, isClosed) => {
        const stage = new CallbackWorld(allowed);
        await stage.play(actions);
        const { account, wall } = stage.world;
        const [begun, attempted] = [stage.receivers.begun.length, stage.attempted.length];
        const orders = [...account.state.transactions.values()];

        if (isClosed) void account.close();
        else account.reset();
        for (const { accepted } of orders) account.releaseCallbacks(accepted);
        wall.advance(100_000_000);
        await allReady();

        expect(stage.receivers.begun).toHaveLength(begun);
        expect(stage.receivers.open).toEqual([]);
        expect(stage.attempted).toHaveLength(attempted);
        expect(account.pending()).toEqual([]);
        expect(account.callbacksUnderWay).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});
