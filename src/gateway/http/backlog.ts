import { Refused } from "../domain/refusal.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import type { RunningAccount } from "../engine/account.ts";
import type { World } from "../engine/world.ts";
import { type Bindings, ClientGone } from "./connection.ts";
import type { ResponseTiming } from "./respond.ts";

export interface BacklogOptions extends ResponseTiming {
  readonly world: World;
  /** The most orders, over all accounts, whose results or callbacks may be outstanding. More would exhaust the memory. */
  readonly mostUnresolved: number;
  readonly report: (fault: unknown) => void;
}

/** Reported once while orders are refused because results or callbacks are behind. */
export class Overload extends Error {}

/** How long an order waits for room, and how often it looks. Common clients give up after 10 s or more. */
const PATIENCE: Millis = 5 * SECOND;
const LOOK: Millis = 20;

/** Slows orders down while results and callbacks are so far behind that they would exhaust the memory. */
export class Backlog {
  readonly #options: BacklogOptions;
  /** Why orders are refused, by account, until there is room again. Finding out takes a walk over all its transactions. */
  readonly #causes = new Map<RunningAccount, string>();

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Returns whether an order can be taken at once. */
  hasRoom(): boolean {
    const { world, mostUnresolved } = this.#options;
    if (world.pending >= mostUnresolved) return false;
    this.#causes.clear();
    return true;
  }

  /** Waits until an order can be taken. Rejects with `Refused` 429 if that takes too long, before anything is decided about it. */
  async awaitRoom(account: RunningAccount, { outgoing }: Bindings): Promise<void> {
    const { pause, stopping } = this.#options;
    for (let waited = 0; !this.hasRoom() && waited < PATIENCE; waited += LOOK) {
      await pause(LOOK, stopping).catch(() => {});
      if (outgoing?.destroyed) throw new ClientGone();
    }
    if (!this.hasRoom()) this.#refuse(account);
  }

  #refuse(account: RunningAccount): never {
    const cause = this.#causes.get(account) ?? explain(account, this.#options.world.pending);
    if (this.#causes.size === 0) this.#options.report(new Overload(`orders are refused with 429: ${cause}`));
    this.#causes.set(account, cause);
    throw new Refused(429, { headers: { "retry-after": "1" }, hint: cause });
  }
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
  return `${pending} orders wait for their results or callbacks, and more would not fit in memory; ${settings}, or give Node more with --max-old-space-size`;
}
