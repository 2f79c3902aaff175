import type { Millis } from "../../gateway/domain/time.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { Timer, WallClock } from "../../gateway/ports/wall-clock.ts";
import type { JournalEngine } from "../journal/journal-engine.ts";

/**
 * How long the database may leave a heartbeat or a write without an answer before requests wait undecided. Waiting costs them nothing,
 * because their own write would have to wait too, and they can still be told that they were not carried out.
 */
const SILENT_AFTER: Millis = 250;

/** Whether the database answers, as its heartbeats and writes show, and the limit of every wait while it does not. */
export class DatabaseAnswers {
  readonly #counter: WallClock;
  readonly #patience: Millis;
  /** Since when heartbeats, and writes, have had no answer but errors. */
  readonly #unanswered = new Map<"heartbeat" | "flush", Millis>();
  readonly #waiting = new Set<() => void>();
  #outage: StoreOutage | undefined;

  constructor(counter: WallClock, patience: Millis) {
    this.#counter = counter;
    this.#patience = Math.max(patience, SILENT_AFTER);
  }

  /** Set once somebody has waited in vain, until the database answers. */
  get outage(): StoreOutage | undefined {
    return this.#outage;
  }

  /** Returns the engine with limits: its calls reject with a `StoreOutage` once the database has been silent for too long. */
  limit(engine: JournalEngine): JournalEngine {
    return {
      join: (self, lease) => engine.join(self, lease),
      heartbeat: () => this.#watch("heartbeat", engine.heartbeat()),
      leave: () => this.#inTime(engine.leave()),
      acquire: (account, options) => this.#inTime(engine.acquire(account, options)),
      // The store limits how long somebody waits for a write; the write itself continues.
      flush: (writes) => this.#watch("flush", engine.flush(writes)),
      release: (grant, to) => this.#inTime(engine.release(grant, to)),
      load: (account) => this.#inTime(engine.load(account)),
      list: () => this.#inTime(engine.list()),
      close: () => engine.close(),
    };
  }

  get isSilent(): boolean {
    return this.#counter.now() - this.#silentSince() >= SILENT_AFTER;
  }

  /** Resolves when the database answers again. Rejects with a `StoreOutage` if that takes too long. */
  untilAnswering(): Promise<void> {
    return this.#inTime(this.#answering());
  }

  async #answering(): Promise<void> {
    while (this.isSilent) await new Promise<void>((resolve) => void this.#waiting.add(resolve));
  }

  /** Now if everything is answered. */
  #silentSince(): Millis {
    return Math.min(this.#counter.now(), ...this.#unanswered.values());
  }

  async #watch<T>(kind: "heartbeat" | "flush", call: Promise<T>): Promise<T> {
    if (!this.#unanswered.has(kind)) this.#unanswered.set(kind, this.#counter.now());
    const answer = await call;
    this.#unanswered.delete(kind);
    this.#outage = undefined;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    return answer;
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      const check = (): void => {
        const left = this.#silentSince() + this.#patience - this.#counter.now();
        if (left > 0) timer = this.#counter.after(left, check);
        else reject((this.#outage ??= new StoreOutage("PostgreSQL does not answer")));
      };
      check();
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      timer?.cancel();
    }
  }
}
