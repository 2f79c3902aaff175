import { accountTime } from "../account/clock.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { WallClock } from "../ports/wall-clock.ts";

/** Tells an account's time; while a manual clock is being advanced, that is how far it has got. */
export class AccountClock {
  readonly #wall: WallClock;
  #reached: Instant = Number.NEGATIVE_INFINITY;

  constructor(wall: WallClock) {
    this.#wall = wall;
  }

  now({ clock, latest }: Pick<AccountState, "clock" | "latest">): Instant {
    return accountTime(clock, this.#wall.now(), Math.max(latest, this.#reached));
  }

  moveTo(at: Instant): void {
    this.#reached = Math.max(this.#reached, at);
  }

  startOver(): void {
    this.#reached = Number.NEGATIVE_INFINITY;
  }
}
