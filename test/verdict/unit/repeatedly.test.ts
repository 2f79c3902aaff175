import { expect, test } from "vitest";
import { manualWallClock } from "../../support/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { repeatedly } from "../../../src/verdict/rehearsal/repeatedly.ts";
import { allReady } from "../../support/turns.ts";

const interruption = new AbortController().signal;

test("counts from one, and answers in the order of the counts", async () => {
  const { stage } = stageAt(0);

  const answers = await repeatedly({ repeat: 4, parallel: 2, spacing: 0 }, stage, async (count) => {
    if (count === 1) await allReady();
    return count;
  });

  expect(answers).toEqual([1, 2, 3, 4]);
});

test("never has more at a time than it may", async () => {
  const { stage } = stageAt(0);
  const open: number[] = [];
  const most: number[] = [];

  await repeatedly({ repeat: 9, parallel: 3, spacing: 0 }, stage, async (count) => {
    most.push(open.push(count));
    await allReady();
    open.pop();
  });

  expect(Math.max(...most)).toBe(3);
});

test("begins each one a spacing after the one before, whatever it took", async () => {
  const { stage, clock } = stageAt(0);
  const begun: number[] = [];
  const all = repeatedly({ repeat: 3, parallel: 3, spacing: 500 }, stage, async () => {
    begun.push(clock.now());
    await allReady();
  });

  await allReady();
  clock.advance(500);
  await allReady();
  clock.advance(500);
  await all;

  expect(begun).toEqual([0, 500, 1_000]);
});

test("ends when it is interrupted", async () => {
  const controller = new AbortController();
  const { stage } = stageAt(0);
  const all = repeatedly(
    { repeat: 2, parallel: 1, spacing: 500 },
    { ...stage, interruption: controller.signal },
    async () => {},
  );

  controller.abort();

  await expect(all).rejects.toThrow("aborted");
});

function stageAt(now: number) {
  const clock = manualWallClock(now);
  return { clock, stage: { clock, pause: pauseOn(clock), interruption } };
}
