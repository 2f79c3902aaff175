import fc from "fast-check";
import { expect, test } from "vitest";
import { readAccepted } from "../../../src/gateway/account/readings/request.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import { answerFickly, anyStep, retrying, take } from "../../support/gateway/steps.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

test("transactions folded from the journal read as those of the account", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: "max" }), async (steps) => {
      const { account } = testWorld({ answer: answerFickly, account: { callbacks: retrying(3) } });
      for (const step of steps) await take(account, step);
      await allReady();
      const aftermaths = new Aftermaths();

      for (const event of account.journal.read().events) aftermaths.take(event);

      const own = [...account.state.transactions.values()];
      const folded = own.map(({ accepted }) => aftermaths.transactionOf(accepted.requestId));
      expect(folded.map((one) => one && readAccepted(one))).toEqual(own.map(readAccepted));
    }),
    { numRuns: 50 },
  );
});

test("an attempt whose result a journal lacks is passed over", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/") } });
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 1_000);
  const { events } = account.journal.read();
  const aftermaths = new Aftermaths();

  for (const event of events) if (event.kind !== "settled") aftermaths.take(event);

  expect(events.map(({ kind }) => kind)).toContain("attempted");
  expect(aftermaths.transactionOf(requestId)?.progress.state).toBe("queued");
});
