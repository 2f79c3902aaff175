import { setMaxListeners } from "node:events";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Heartbeat, JournalEngine } from "../journal/journal-engine.ts";
import type { Replica } from "../journal/account-ownership.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { Timer, WallClock } from "../../gateway/ports/wall-clock.ts";
import type { EngineClock } from "./engine-clock.ts";

export interface LeaseOptions {
  readonly engine: JournalEngine;
  /** A monotonic clock, which measures the lease. */
  readonly counter: WallClock;
  /** The wall clock of the accounts. */
  readonly clock: EngineClock;
  readonly length: Millis;
  readonly report: (fault: unknown) => void;
  /** Called once when this replica cannot renew its lease, and once when it has. */
  readonly log: (line: string) => void;
}

/** How far a replica's clock may be ahead of the engine's, after that was set back. */
const MAX_CLOCK_LEAD: Millis = 1_000;

const NOT_JOINED = new StoreOutage("this replica has not joined the others yet");

/** A replica's lease, renewed four times per term. It expires here before it expires for the others. */
export class Lease {
  readonly #with: LeaseOptions;
  /** Called with each heartbeat and the time of its request, before the lease counts as renewed. */
  readonly #onBeat: (beat: Heartbeat, asked: Millis) => void;
  #ends: Millis = Number.NEGATIVE_INFINITY;
  #outage: StoreOutage | undefined = NOT_JOINED;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(options: LeaseOptions, onBeat: (beat: Heartbeat, asked: Millis) => void) {
    this.#with = options;
    this.#onBeat = onBeat;
  }

  /** Takes the lease and starts renewing it. */
  async begin(self: Replica): Promise<{ readonly secret: string }> {
    const { engine, length } = this.#with;
    const joined = await engine.join(self, length);
    await this.#renew();
    this.#schedule(length / 4);
    return joined;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#timer?.cancel();
    await this.#with.engine.leave().catch(this.#with.report);
  }

  /** Returns why requests cannot be answered at present. Returns the same object as long as the reason is the same. */
  outage(): StoreOutage | undefined {
    const ahead = this.#with.clock.ahead();
    if (this.#with.counter.now() >= this.#ends)
      this.#suspend("cannot renew its lease (the database did not answer in time)");
    else if (ahead > MAX_CLOCK_LEAD) this.#suspend(`is ${Math.round(ahead)} ms ahead of the database's clock`);
    return this.#outage;
  }

  #schedule(wait: Millis): void {
    if (this.#isOver) return;
    this.#timer = this.#with.counter.after(Math.max(0, wait), () => {
      const asked = this.#with.counter.now();
      void this.#renew()
        .catch((fault: unknown) => this.#fail(fault))
        .finally(() => this.#schedule(asked + this.#with.length / 4 - this.#with.counter.now()));
    });
  }

  async #renew(): Promise<void> {
    const { engine, counter, clock, length, log } = this.#with;
    const asked = counter.now();
    const beat = await engine.heartbeat();
    clock.measure(beat.now, asked, counter.now());
    this.#onBeat(beat, asked);
    this.#ends = asked + length;
    if (this.#outage !== undefined && this.#outage !== NOT_JOINED) log("this replica has renewed its lease");
    this.#outage = undefined;
  }

  #fail(fault: unknown): void {
    if (!(fault instanceof StoreOutage)) this.#with.report(fault);
    if (this.#with.counter.now() >= this.#ends) this.#suspend(`cannot renew its lease (${messageOf(fault)})`);
  }

  /** The first reason is reported until the lease is renewed. */
  #suspend(reason: string): void {
    if (this.#outage !== undefined) return;
    this.#outage = new StoreOutage(`this replica ${reason}; requests are answered 503 until that is over`);
    this.#outage.isLogged = true;
    this.#with.log(this.#outage.message);
  }
}

/** The leases of other replicas that somebody has asked for, by their ids. */
export class LeasesOfOthers {
  readonly #counter: WallClock;
  readonly #leases = new Map<string, { readonly since: Millis; readonly over: AbortController }>();

  constructor(counter: WallClock) {
    this.#counter = counter;
  }

  /** Aborts when the lease is over. */
  of(id: string): AbortSignal {
    const known = this.#leases.get(id) ?? { since: this.#counter.now(), over: new AbortController() };
    this.#leases.set(id, known);
    // Each forwarded order listens to it, at its owner too.
    setMaxListeners(0, known.over.signal);
    return known.over.signal;
  }

  /** Ends all leases but those of live replicas, as a heartbeat says that was asked for at this time. */
  endBut(live: ReadonlyMap<string, Replica>, asked: Millis): void {
    for (const [id, { since, over }] of this.#leases) {
      // The heartbeat may not know replicas whose leases were first asked for after its request.
      if (since >= asked || live.has(id)) continue;
      this.#leases.delete(id);
      over.abort();
    }
  }
}
