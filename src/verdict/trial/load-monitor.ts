import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Pause, WallClock } from "../../gateway/ports/wall-clock.ts";

/**
 * A short pause that lasts this much longer than planned shows that the machine is overloaded. With a load of 12 on two cores, the most in
 * 163 runs was 0.44 s.
 */
const LATE_MILLIS: Millis = SECOND / 2;

/** Measures Kredo's own pauses, to notice when the machine is too busy to tell a slow application from a broken one. */
export class LoadMonitor {
  readonly #clock: Pick<WallClock, "now">;
  readonly #pause: Pause;
  #latest: Millis = 0;

  constructor({ clock, pause }: { readonly clock: Pick<WallClock, "now">; readonly pause: Pause }) {
    this.#clock = clock;
    this.#pause = pause;
  }

  /** Pauses, and records how much longer the pause took than planned. */
  readonly pause: Pause = async (wait, signal) => {
    const due = this.#clock.now() + wait;
    await this.#pause(wait, signal);
    this.#latest = Math.max(this.#latest, this.#clock.now() - due);
  };

  /** Returns whether the machine was too busy for a verdict that depends on time. */
  get isTooBusy(): boolean {
    return this.#latest >= LATE_MILLIS;
  }
}
