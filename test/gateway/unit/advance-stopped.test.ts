import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { type JournalStore, NotTheOwner, OwnerLost } from "../../../src/gateway/ports/journal-store.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

const ANSWERED: CallbackOutcome = { kind: "answered", status: 200, body: "" };

test("waits at its end for a callback whose acknowledgment went out late", async () => {
  const { advancing, answerLate } = await sendLate();

  answerLate();
  const { fired, isComplete } = await advancing;

  expect(fired.map(({ at }) => at - WALL_START)).toEqual([1_000, 1_000]);
  expect(isComplete).toBe(true);
});

test.each([
  [1_000, 2],
  [1_001, 1],
])("if it takes %i ms of 1 s of wall time to settle the first of two results, settles %i", async (taken, settled) => {
  const { account, wall } = testWorld();
  buyAirtime(account, 10);
  buyAirtime(account, 20);
  const waits = [taken];
  account.journal.observe(() => wall.advance(waits.shift() ?? 0));

  const { silent, isComplete } = await account.advance({ by: 60_000 }, 1_000);

  expect({ silent: silent.length, isComplete }).toEqual({ silent: settled, isComplete: settled === 2 });
});

test.each([
  ["before anything was done, rejects with NotTheOwner", 0, NotTheOwner],
  ["on the way, rejects with OwnerLost", 1, OwnerLost],
])("when another replica takes the account over %s", async (_when, settled, error) => {
  const { account } = testWorld({ store: lostAfter(settled) });
  buyAirtime(account, 10);
  buyAirtime(account, 20);

  await expect(account.advance({ by: 60_000 }, 1_000)).rejects.toThrow(error);

  expect(account.state.settlements).toBe(settled);
});

/** An advance of 60 s in which the first callback's answer lets out the acknowledgment that the second has waited for. */
async function sendLate() {
  const answers: (() => void)[] = [];
  const late = new Promise<CallbackOutcome>((resolve) => answers.push(() => resolve(ANSWERED)));
  const outcomes = [ANSWERED, late];
  const { account, wall } = testWorld({
    account: { callbacks: callbacksTo("http://receiver.test/hook") },
    answer: () => {
      account.releaseCallbacks(held);
      return outcomes.shift() ?? ANSWERED;
    },
  });
  const held = buyAirtime(account, 10);
  account.holdCallbacks(held);
  buyAirtime(account, 20);
  const advancing = account.advance({ by: 60_000 }, 1_000);
  await allReady();
  return { advancing, wall, answerLate: () => answers.forEach((answer) => answer()) };
}

/** A store that another replica takes over once so many results have settled. */
function lostAfter(settled: number): JournalStore {
  const memory = memoryJournalStore();
  const answers = [...Array.from({ length: settled }, () => "ours"), "lost"];
  return {
    ...memory,
    append: (name, events) => {
      if (events[0]?.kind === "settled" && answers.shift() === "lost") throw new NotTheOwner(name);
      memory.append(name, events);
    },
  };
}
