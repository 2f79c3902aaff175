import { getHeapStatistics } from "node:v8";
import { Refused } from "../domain/refusal.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import type { RunningAccount } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import type { Bindings } from "./bindings.ts";
import { ClientGone } from "./body.ts";
import type { ResponseTiming } from "./respond.ts";
import { counted } from "../domain/counted.ts";

export interface CapacityOptions extends Pick<ResponseTiming, "pause" | "stopping"> {
  readonly world: World;
  /** The most orders, over all accounts, whose results or callbacks may be pending. Defaults to what fits in memory. */
  readonly maxPending?: number;
  readonly report: (fault: unknown) => void;
}

/** Reported once while orders are refused because results or callbacks are behind. */
export class Overload extends Error {}

/** How long an order waits for room, and how often it looks. Common clients give up after 10 s or more. */
const PATIENCE_MILLIS: Millis = 5 * SECOND;
const BETWEEN_LOOKS_MILLIS: Millis = 20;

/** Slows orders down, and then refuses them, while as many are pending as may be. */
export class Capacity {
  readonly #options: CapacityOptions;
  readonly #maxPending: number;
  /** Why orders are refused, by account, until there is room again. Finding out takes a walk over all its transactions. */
  readonly #causes = new Map<RunningAccount, string>();
  /** Orders that wait for room, in the order in which they came. */
  readonly #waiting = new Set<object>();

  constructor(options: CapacityOptions) {
    this.#options = options;
    this.#maxPending = options.maxPending ?? ordersThatFit();
  }

  /** Returns whether an order can be taken at once. */
  hasRoom(): boolean {
    return this.#waiting.size < this.#room();
  }

  /**
   * Waits until an order can be taken, after those that have waited longer. Rejects with `Refused` 429 if that takes too long, before anything is
   * decided about it.
   */
  async awaitRoom(account: RunningAccount, { outgoing }: Bindings): Promise<void> {
    const { pause, stopping } = this.#options;
    const order = {};
    this.#waiting.add(order);
    try {
      for (let waited = 0; !this.#isNext(order) && waited < PATIENCE_MILLIS; waited += BETWEEN_LOOKS_MILLIS) {
        await pause(BETWEEN_LOOKS_MILLIS, stopping).catch(() => {});
        if (outgoing?.destroyed) throw new ClientGone();
      }
      if (!this.#isNext(order)) this.#refuse(account);
    } finally {
      this.#waiting.delete(order);
    }
  }

  /** Returns whether there is room for an order besides those that have waited longer. */
  #isNext(order: object): boolean {
    let room = this.#room();
    for (const waiting of this.#waiting) {
      if (room <= 0) return false;
      if (waiting === order) return true;
      room -= 1;
    }
    return false;
  }

  #room(): number {
    const room = this.#maxPending - this.#options.world.pending;
    if (room > 0) this.#causes.clear();
    return room;
  }

  #refuse(account: RunningAccount): never {
    const cause = this.#causes.get(account) ?? explain(account, this.#options.world.pending);
    if (this.#causes.size === 0) this.#options.report(new Overload(`orders are refused with 429: ${cause}`));
    this.#causes.set(account, cause);
    throw new Refused(429, { headers: { "retry-after": "1" }, hint: cause });
  }
}

/** The most pending orders that fit in a quarter of the heap. Each takes up to a kilobyte. */
function ordersThatFit(): number {
  return Math.floor(getHeapStatistics().heap_size_limit / 4 / 1_024);
}

/** Says what is behind, and which setting changes it. */
function explain({ state }: RunningAccount, pending: number): string {
  const queued = [...state.transactions.values()].filter(({ progress }) => progress.state === "queued").length;
  const settings =
    queued * 2 < state.pending
      ? "raise callbacks.concurrency, or let the receiver answer sooner"
      : state.clock.mode === "manual"
        ? "advance the clock: kredo advance"
        : "lower the latency of carriers";
  const waiting = counted(
    pending,
    "order waits for its result or callback",
    "orders wait for their results or callbacks",
  );
  return `${waiting}, as many as max_pending allows; ${settings}, or raise max_pending, and Node's memory with it: --max-old-space-size`;
}
