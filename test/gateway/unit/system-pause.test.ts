import { expect, test, vi } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn, systemPause } from "../../../src/gateway/adapters/time/system-pause.ts";
import type { WallClock } from "../../../src/gateway/ports/wall-clock.ts";
import { allReady } from "../../support/gateway/turns.ts";

test("ends when the wait is over", async () => {
  const clock = manualWallClock(0);
  const ended = vi.fn<() => void>();
  const pausing = pauseOn(clock)(100, new AbortController().signal).then(ended);

  clock.advance(99);
  await Promise.resolve();
  expect(ended).not.toHaveBeenCalled();
  clock.advance(1);

  await expect(pausing).resolves.toBeUndefined();
});

test("ends with the reason of an abort, and leaves no timer behind", async () => {
  const cancel = vi.fn<() => void>();
  const clock = { now: () => 0, after: () => ({ cancel }), turn: allReady };
  const controller = new AbortController();
  const pausing = pauseOn(clock)(100, controller.signal);

  controller.abort(new Error("closing"));

  await expect(pausing).rejects.toThrow("closing");
  expect(cancel).toHaveBeenCalledTimes(1);
});

test("does not begin on a signal that is aborted already", async () => {
  const pausing = systemPause()(60_000, AbortSignal.abort(new Error("closed")));

  await expect(pausing).rejects.toThrow("closed");
});

test("needs no timer for no wait", async () => {
  const after = vi.fn<WallClock["after"]>();

  await pauseOn({ now: () => 0, after, turn: allReady })(0, new AbortController().signal);

  expect(after).not.toHaveBeenCalled();
});

test("removes its listener from the signal when it ends", async () => {
  const clock = manualWallClock(0);
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, "removeEventListener");
  const pausing = pauseOn(clock)(100, signal);

  clock.advance(100);
  await pausing;

  expect(removed).toHaveBeenCalledWith("abort", expect.any(Function));
});
