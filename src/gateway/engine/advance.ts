import type { Attempted, Settled } from "../account/events.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant, Millis } from "../domain/time.ts";
import { formatInstant, LAST_MOMENT } from "../domain/time.ts";
import { NotTheOwner, OwnerLost } from "../ports/journal-store.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import { EngineError } from "./engine-error.ts";
import type { Courier } from "./courier.ts";
import { finishesWithin } from "./wait-until.ts";
import type { LiveJournal } from "./live-journal.ts";
import type { Timekeeper } from "./timekeeper.ts";
import type { PendingCalls } from "./pending-calls.ts";

/** The target of a manual clock: a duration, a moment, or the next due work. */
export type ClockTarget = { readonly by: Millis } | { readonly to: Instant | "next" };

export interface Advanced {
  readonly now: Instant;
  /** The first callback attempts made, in order. */
  readonly fired: readonly Attempted[];
  readonly firedTotal: number;
  /** The first transactions that settled without a callback. */
  readonly silent: readonly Settled[];
  readonly silentTotal: number;
  /** Whether the clock reached its target. Otherwise the wall time ran out, or the account was reset or closed on the way. */
  readonly isComplete: boolean;
}

interface AdvancerDependencies {
  readonly journal: LiveJournal;
  readonly courier: Courier;
  readonly timekeeper: Timekeeper;
  readonly wall: WallClock;
  readonly pendingCalls: PendingCalls;
}

/** The most attempts, and the most settlements, that an advance keeps to return. */
const MAX_RETURNED = 1_000;

const HALF_WAY = "the account went to another replica in the middle of the advance, and its clock stopped there";

/** Advances a manual clock and performs all due work in order. Callbacks due at the same moment are sent in parallel. */
export class Advancer {
  readonly #with: AdvancerDependencies;
  #underWay: Promise<boolean> | undefined;

  constructor(dependencies: AdvancerDependencies) {
    this.#with = dependencies;
  }

  /**
   * Throws an `EngineError`: conflict if the clock is not manual or is already being advanced, invalid for a moment in the past. If another
   * replica takes the account over, rejects with `NotTheOwner` before anything was done, and with `OwnerLost` later.
   */
  async advance(target: ClockTarget, within: Millis): Promise<Advanced> {
    const { journal, timekeeper, wall, pendingCalls } = this.#with;
    this.#check(journal.state);
    const end = this.#resolve(target);
    const run = journal.state;
    const isSameRun = (): boolean => journal.state === run && run.clock.mode === "manual" && !timekeeper.isClosed;
    const fired: Attempted[] = [];
    const silent: Settled[] = [];
    let [firedTotal, silentTotal] = [0, 0];
    const stopObserving = journal.observe((event) => {
      if (event.kind === "attempted" && (firedTotal += 1) <= MAX_RETURNED) fired.push(event);
      if (event.kind === "settled" && "none" in event.callback && (silentTotal += 1) <= MAX_RETURNED)
        silent.push(event);
    });
    const { version } = journal;
    this.#underWay = pendingCalls.run(() => this.#advanceTo(end, { deadline: wall.now() + within, isSameRun }));
    try {
      const isComplete = await this.#underWay;
      return { now: journal.now(), fired, firedTotal, silent, silentTotal, isComplete };
    } catch (problem) {
      throw problem instanceof NotTheOwner && journal.version > version ? new OwnerLost(HALF_WAY) : problem;
    } finally {
      this.#underWay = undefined;
      stopObserving();
    }
  }

  /** Resolves when no advance is under way. */
  async idle(): Promise<void> {
    await this.#underWay?.catch(() => {});
  }

  /** Before time moves on, waits for callbacks that started on their own, because of a resend or a late acknowledgment. */
  async #advanceTo(
    end: Instant,
    { deadline, isSameRun }: { deadline: Instant; isSameRun: () => boolean },
  ): Promise<boolean> {
    const { journal, courier, timekeeper, wall } = this.#with;
    const isInTime = (work: Promise<void>): Promise<boolean> => finishesWithin(work, wall, deadline - wall.now());
    if (!(await isInTime(courier.idle()))) return false;
    while (timekeeper.hasDue(end) && isSameRun()) {
      if (wall.now() > deadline) return false;
      if (!(await isInTime(timekeeper.performSlice(end)))) return false;
      if (!timekeeper.hasDue(end) && !(await isInTime(courier.idle()))) return false;
      await wall.turn();
    }
    if (!isSameRun()) return false;
    journal.append((_state, at) =>
      at < end ? [{ kind: "clock-changed", at: end, clock: { mode: "manual", from: end } }] : [],
    );
    return true;
  }

  #check(state: AccountState): void {
    if (state.clock.mode !== "manual")
      throw new EngineError(
        "conflict",
        `the clock is ${state.clock.mode}, and only a manual one can be advanced`,
        "set one first: kredo clock manual",
      );
    if (this.#underWay !== undefined)
      throw new EngineError("conflict", "the clock is being advanced already", "wait for that call to answer");
  }

  #resolve(target: ClockTarget): Instant {
    const now = this.#with.journal.now();
    const to = "by" in target ? now + target.by : target.to;
    if (to === "next") return Math.max(now, this.#with.timekeeper.next()?.at ?? now);
    if (to > LAST_MOMENT)
      throw new EngineError(
        "invalid",
        `the clock would go beyond ${formatInstant(LAST_MOMENT)}, the last moment that it can show`,
        "name an earlier moment",
      );
    if (to >= now) return to;
    throw new EngineError(
      "invalid",
      `to: ${formatInstant(to)} is in the past: the clock shows ${formatInstant(now)}`,
      "name a later moment, or reset the account",
    );
  }
}
