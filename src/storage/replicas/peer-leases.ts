import type { Millis } from "../../domain/time.ts";
import type { Replica } from "../../ports/account-ownership.ts";
import type { WallClock } from "../../ports/wall-clock.ts";

/** The leases of other replicas that somebody has asked for. */
export class PeerLeases {
  readonly #counter: WallClock;
  readonly #running = new Map<string, { readonly since: Millis; readonly over: AbortController }>();

  constructor(counter: WallClock) {
    this.#counter = counter;
  }

  /** Returns a signal that aborts once the lease is over. */
  of({ id }: Replica): AbortSignal {
    const known = this.#running.get(id) ?? { since: this.#counter.now(), over: new AbortController() };
    this.#running.set(id, known);
    return known.over.signal;
  }

  /**
   * Ends the leases of replicas that a heartbeat does not list. Keeps leases first asked for after the heartbeat's request, because it may
   * not know those replicas yet.
   */
  follow(live: readonly Replica[], asked: Millis): void {
    for (const [id, { since, over }] of this.#running) {
      if (since >= asked || live.some((replica) => replica.id === id)) continue;
      this.#running.delete(id);
      over.abort();
    }
  }
}
