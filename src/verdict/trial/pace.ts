import { isDetailsRequest } from "../../gateway/account/event-guards.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Pause } from "../../gateway/ports/wall-clock.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import { responseTime, sentAt } from "../../gateway/account/readings/answer.ts";
import { USUAL_SETTLE } from "../application/application.ts";
import { requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";

/** With less time than this, the machine's own pauses would be mistaken for the application's. */
const SHORTEST: Millis = SECOND / 4;

/** Later responses and retries are assumed to take at most this many times as long as the slowest one so far. */
const MARGIN = 4;

/**
 * The wall time that an application gets: what its map says, or what its orders have shown. It gets its full time until it has resent an
 * order. From then on, the time that took is enough.
 */
export class Pace {
  readonly #written: Millis | undefined;
  /** The longest time from the last event of an order until the application showed its right outcome. */
  #slowest: Millis = 0;
  /** The longest time between two requests for one order. */
  #longestGap: Millis = 0;

  constructor(written: Millis | undefined) {
    this.#written = written;
  }

  /** Returns how long nothing may happen before orders are judged as they are. */
  settle(isPatient: boolean): Millis {
    const patience = Math.max(this.#written ?? 0, USUAL_SETTLE, 2 * this.#slowest);
    if (isPatient) return patience;
    return this.#written ?? Math.min(patience, Math.max(this.calm, 2 * this.#longestGap));
  }

  /** How long an order with the right outcome must keep it. */
  get calm(): Millis {
    return this.#written ?? Math.max(SHORTEST, MARGIN * this.#slowest);
  }

  /** Records how long after its last event an order had the right outcome. */
  noteRight(after: Millis): void {
    this.#slowest = Math.max(this.#slowest, after);
  }

  /**
   * Records how long the application took to resend an order, or to ask for account details if there is only one order. One that is told
   * of results asks at its own times once it has sent the order.
   */
  noteRequests(events: readonly AccountEvent[], orders: number, isTold: boolean): void {
    const waited = new Map(
      events.flatMap((event) => (event.kind === "client-left" ? [[event.requestId, event.waited] as const] : [])),
    );
    const endOfLast = new Map<string, number>();
    let isSent = false;
    for (const event of requestsOfBackend(events)) {
      const isDetails = isDetailsRequest(event);
      isSent ||= !isDetails;
      if (isDetails && isSent && isTold) continue;
      const whose = orders === 1 ? "the only order" : phoneNumberOf(event);
      if (whose === undefined) continue;
      this.#longestGap = Math.max(this.#longestGap, sentAt(event) - (endOfLast.get(whose) ?? sentAt(event)));
      endOfLast.set(whose, sentAt(event) + (waited.get(event.requestId) ?? responseTime(event)));
    }
  }
}

function phoneNumberOf(event: RequestEvent): string | undefined {
  return "order" in event ? event.order?.phoneNumber : undefined;
}

/**
 * A short pause that lasts this much longer than planned shows that the machine is overloaded. With a load of 12 on two cores, the most in
 * 163 runs was 0.44 s.
 */
const LATE_MILLIS: Millis = SECOND / 2;

/** Pauses that are late by this much on average: the ten steps of one exchange then take longer than many clients wait for an answer. */
const LATE_ON_AVERAGE_MILLIS: Millis = SECOND / 10;

/** Fewer pauses have no average. */
const MIN_PAUSES = 5;

/** Measures Kredo's own pauses, to notice when the machine is too busy to tell a slow application from a broken one. */
export class LoadMonitor {
  readonly #clock: Pick<WallClock, "now">;
  readonly #pause: Pause;
  #latest: Millis = 0;
  #total: Millis = 0;
  #pauses = 0;
  #bare: Millis = 0;

  constructor({ clock, pause }: { readonly clock: Pick<WallClock, "now">; readonly pause: Pause }) {
    this.#clock = clock;
    this.#pause = pause;
  }

  /** Pauses, and records how much longer the pause took than planned. */
  readonly pause: Pause = async (wait, signal) => {
    const due = this.#clock.now() + wait;
    await this.#pause(wait, signal);
    const late = this.#clock.now() - due;
    this.#latest = Math.max(this.#latest, late);
    this.#total += late;
    this.#pauses += 1;
  };

  async time(request: Promise<unknown>): Promise<void> {
    const startedAt = this.#clock.now();
    await request;
    this.#bare = this.#clock.now() - startedAt;
  }

  /** The time of a bare request, and by how much a pause was late. */
  get loadMillis(): Millis {
    return this.#bare + this.#latest;
  }

  /** Returns whether the machine was too busy for a verdict that depends on time. */
  get isTooBusy(): boolean {
    const isSlow = this.#pauses >= MIN_PAUSES && this.#total / this.#pauses >= LATE_ON_AVERAGE_MILLIS;
    return isSlow || this.#latest >= LATE_MILLIS;
  }
}
