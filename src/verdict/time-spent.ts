import { formatDuration, type Millis, SECOND } from "../gateway/domain/time.ts";
import type { WallClock } from "../gateway/ports/wall-clock.ts";

/** What may take most of a run's time, as it is told. The rest is placing orders and asking about them. */
const PARTS = {
  quiet_ms: "waiting until nothing happened any more",
  timers_ms: "waiting for the application's own timers",
  confirming_ms: "confirming",
  last_look_ms: "leaving the application alone before the last look",
  restarting_ms: "restarting",
} as const;

export type TimePart = keyof typeof PARTS;
export type TimeSpent = Readonly<Partial<Record<TimePart, Millis>>>;

/** A part that is told takes at least this share of the whole. */
const TOLD_SHARE = 0.1;

/** Says how long a run took, and what took most of it: "84s: 31s waiting until nothing happened any more, 12s restarting". */
export function describeTime(whole: Millis, spent: TimeSpent = {}): string {
  const parts = Object.entries(PARTS)
    .map(([part, words]) => ({ words, millis: Object.entries(spent).find(([one]) => one === part)?.[1] ?? 0 }))
    .filter(({ millis }) => millis > 0 && millis >= whole * TOLD_SHARE)
    .toSorted((one, other) => other.millis - one.millis)
    .map(({ words, millis }) => `${formatShort(millis)} ${words}`);
  return [formatShort(whole), ...(parts.length === 0 ? [] : [parts.join(", ")])].join(": ");
}

/** Formats a duration for people: "40ms", "2.1s", "84s". */
export function formatShort(duration: Millis): string {
  if (duration < SECOND) return formatDuration(Math.round(duration));
  return `${(duration / SECOND).toFixed(duration < 10 * SECOND ? 1 : 0)}s`;
}

/** Adds up where the wall time of a run goes. What happens within a part counts as that part alone: a confirmation with its waiting. */
export class TimeSheet {
  readonly #clock: Pick<WallClock, "now">;
  readonly #spent = new Map<TimePart, Millis>();
  #isWithin = false;

  constructor(clock: Pick<WallClock, "now">) {
    this.#clock = clock;
  }

  /** Does work that belongs to a part. Parts follow one another; none begins beside another. */
  async spend<Result>(part: TimePart, work: () => Promise<Result>): Promise<Result> {
    if (this.#isWithin) return work();
    this.#isWithin = true;
    const startedAt = this.#clock.now();
    try {
      return await work();
    } finally {
      this.#isWithin = false;
      this.add(part, this.#clock.now() - startedAt);
    }
  }

  /** Counts time of a part; none, if that is within another. */
  add(part: TimePart, millis: Millis): void {
    if (!this.#isWithin) this.#spent.set(part, (this.#spent.get(part) ?? 0) + millis);
  }

  get spent(): TimeSpent {
    return Object.fromEntries([...this.#spent].map(([part, millis]) => [part, Math.round(millis)]));
  }
}
