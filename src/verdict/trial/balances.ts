import type { Kes } from "../../gateway/domain/kes.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { AskedValue } from "../application/ask.ts";
import type { PlacedOrder } from "../application/placed-order.ts";
import type { TrialEnvironment } from "./environment.ts";

/** The balances before the first order, and when they were read. */
export interface Before {
  readonly balances: readonly AskedValue<Kes>[];
  readonly at: Instant;
}

/** Wall time between two questions for money that is not right yet. */
export const BETWEEN_QUESTIONS_MILLIS: Millis = 100;

/** Reads balances. Knows whether a reset restores the one that all orders share, and for how long the application shows old ones. */
export class Balances {
  readonly #application: Application;
  readonly #environment: TrialEnvironment;
  /** For how long the application showed an old balance when that was first seen. */
  oldFor: Millis | undefined;
  /** The balance that all orders share, after the first reset. */
  #opening: Kes | undefined;
  /** Whether a reset restores that balance; undefined until that was seen. */
  #isRestored: boolean | undefined;
  /** The balance after the last trial. */
  #last: Kes | undefined;
  /** Whether it was waited for a balance in vain, and none was shown since. */
  #isLost = false;
  /** Whether the balance before the first order turned out to be an old one. */
  wasFirstOld = false;

  constructor(application: Application, environment: TrialEnvironment) {
    this.#application = application;
    this.#environment = environment;
  }

  /**
   * Reads the balances before the first order, until each is shown. After a reset, they may be those of the trial before, for a while. Without
   * patience, the application goes on from that trial, and they are not read.
   */
  async read(orders: readonly PlacedOrder[], patience: Millis | undefined): Promise<Before> {
    if (patience === undefined) return { at: this.#environment.clock.now(), balances: [] };
    const { clock, pause, interruption } = this.#environment;
    const until = clock.now() + patience;
    for (;;) {
      const before = { at: clock.now(), balances: await this.ask(orders) };
      const isMissing = before.balances.some(isNotShown);
      const isOver = clock.now() >= until;
      const mayChange = this.#mayBeOld(before) || (isMissing && !this.#isLost);
      this.#isLost = isMissing && (this.#isLost || isOver);
      if (isOver || !mayChange) return this.#noteOpening(before);
      await pause(BETWEEN_QUESTIONS_MILLIS, interruption);
    }
  }

  #mayBeOld({ balances }: Before): boolean {
    const isLast = valueOf(balances[0]) === this.#last;
    return isLast && this.#openingChanged !== undefined && this.#isRestored === undefined;
  }

  /** A reset that was seen to restore the balance has done so, even while the application still shows that of the last order. */
  #noteOpening(before: Before): Before {
    const shown = valueOf(before.balances[0]);
    const { map, hasSharedBalance } = this.#application;
    if (map.reset === undefined || !hasSharedBalance || shown === undefined) return before;
    const opening = this.#openingChanged;
    if (opening !== undefined) {
      if (shown === opening) this.#isRestored ??= true;
      else if (shown !== this.#last) this.wasFirstOld = true;
      else if (this.#isRestored === true) return { ...before, balances: [{ value: opening }] };
      else this.#isRestored = false;
    }
    this.#opening = shown;
    return before;
  }

  /** The balance that the last trial began with, if it changed it. */
  get #openingChanged(): Kes | undefined {
    return this.#opening === this.#last ? undefined : this.#opening;
  }

  /** Reads the balances after the orders of a trial. */
  async readAfter(orders: readonly PlacedOrder[]): Promise<AskedValue<Kes>[]> {
    const after = await this.ask(orders);
    this.#last = valueOf(after[0]);
    // What a reset restores is not seen without it.
    if (this.#last === undefined) this.#opening = undefined;
    return after;
  }

  /** Reads the customer's balance for each order; once, if they share one. */
  ask(orders: readonly PlacedOrder[]): Promise<AskedValue<Kes>[]> {
    const application = this.#application;
    const asked = application.isBalanceShared(orders) ? orders.slice(0, 1) : orders;
    return Promise.all(asked.map((order) => application.balance(order)));
  }
}

export function isNotShown(shown: AskedValue<Kes>): boolean {
  return "missing" in shown;
}

function valueOf(shown: AskedValue<Kes> | undefined): Kes | undefined {
  return shown !== undefined && "value" in shown ? shown.value : undefined;
}
