import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/gateway/adapters/time/system-clock.ts";
import { DAY, MINUTE, SECOND } from "../../../src/gateway/domain/time.ts";

const START = Date.parse("2025-01-06T06:00:00Z");

describe("reading the time", () => {
  test("shows what the machine shows", () => {
    const readings = [START, START + 5, START + 5, START + 90];
    const clock = systemClock({ read: () => readings.shift() ?? 0 });

    const shown = [clock.now(), clock.now(), clock.now()];

    expect(shown).toEqual([START + 5, START + 5, START + 90]);
  });

  test("goes on from the latest instant when the machine's time is set back", () => {
    const readings = [
      START,
      START + 10,
      START - MINUTE,
      START - MINUTE + 7,
      START - 2 * MINUTE,
      START - 2 * MINUTE + 1,
    ];
    const clock = systemClock({ read: () => readings.shift() ?? 0 });

    const shown = [clock.now(), clock.now(), clock.now(), clock.now(), clock.now()];

    expect(shown).toEqual([START + 10, START + 10, START + 17, START + 17, START + 18]);
  });
});

describe("timers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test("runs a job once, when the wait is over", () => {
    const job = vi.fn<() => void>();
    systemClock().after(3 * SECOND, job);

    vi.advanceTimersByTime(3 * SECOND - 1);
    expect(job).not.toHaveBeenCalled();
    vi.advanceTimersByTime(DAY);

    expect(job).toHaveBeenCalledTimes(1);
  });

  test.each([0, -5])("runs a job with a wait of %i ms later, not at once", (wait) => {
    const job = vi.fn<() => void>();

    systemClock().after(wait, job);

    expect(job).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(job).toHaveBeenCalledTimes(1);
  });

  test("does not run a cancelled job", () => {
    const job = vi.fn<() => void>();
    const timer = systemClock().after(SECOND, job);

    timer.cancel();
    vi.advanceTimersByTime(DAY);

    expect(job).not.toHaveBeenCalled();
  });

  test("waits longer than the machine's timers can", () => {
    const job = vi.fn<() => void>();
    systemClock().after(60 * DAY, job);

    vi.advanceTimersByTime(60 * DAY - 1);
    expect(job).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);

    expect(job).toHaveBeenCalledTimes(1);
  });

  test("cancels a long wait in its second stretch", () => {
    const job = vi.fn<() => void>();
    const timer = systemClock().after(60 * DAY, job);
    vi.advanceTimersByTime(30 * DAY);

    timer.cancel();
    vi.advanceTimersByTime(60 * DAY);

    expect(job).not.toHaveBeenCalled();
  });

  test("keeps waiting if the machine wakes it early", () => {
    const job = vi.fn<() => void>();
    const slow = systemClock({ read: () => START + Math.floor((Date.now() - START) * 0.9) });
    slow.after(SECOND, job);

    vi.advanceTimersByTime(1_111);
    expect(job).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);

    expect(job).toHaveBeenCalledTimes(1);
  });
});

describe("the process", () => {
  test("can exit while a job is pending", () => {
    const before = timersThatHoldTheProcess();

    const timer = systemClock().after(DAY, () => undefined);
    const during = timersThatHoldTheProcess();
    timer.cancel();

    expect(during).toBe(before);
  });

  test("waits for a job if the clock is told to", () => {
    const before = timersThatHoldTheProcess();

    const timer = systemClock({ holdsProcess: true }).after(DAY, () => undefined);
    const during = timersThatHoldTheProcess();
    timer.cancel();

    expect(during).toBe(before + 1);
  });
});

function timersThatHoldTheProcess(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}
