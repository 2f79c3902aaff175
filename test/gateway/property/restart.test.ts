import fc from "fast-check";
import { expect, test } from "vitest";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { answerFickly, anyStep, retrying, take } from "../../support/gateway/steps.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { testWorld } from "../../support/gateway/world.ts";
import { writeOut } from "../../support/gateway/write-out.ts";

const steps = fc.array(anyStep, { maxLength: 30, size: "max" });

test("whatever happened, an account goes on after a restart as if there had been none", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, second) => {
      const settings = { answer: answerFickly, account: { callbacks: retrying(3) } };
      const store = lastingStore();
      const { account: lasting } = testWorld({ ...settings, store });
      await takeAll(lasting, first);

      const { account } = restarted(store, settings);
      account.wake();

      expect(writeOut(account.state)).toBe(writeOut(lasting.state));
      expect(account.pending()).toEqual(lasting.pending());
      await takeAll(account, second);
      await takeAll(lasting, second);
      expect(writeOut(account.state)).toBe(writeOut(lasting.state));
    }),
    { numRuns: 25 },
  );
});

async function takeAll(account: Parameters<typeof take>[0], all: readonly Parameters<typeof take>[1][]): Promise<void> {
  for (const step of all) {
    await take(account, step);
    await allReady();
  }
}
