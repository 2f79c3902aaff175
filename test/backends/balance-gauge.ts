import type { GatewayLine } from "./gateway-line.ts";

/** The wallet's balance, asked for no more often than every so many milliseconds. */
export class BalanceGauge {
  readonly every: number;
  readonly #line: GatewayLine;
  #last: { readonly at: number; readonly cents: Promise<number | undefined> } | undefined;

  constructor(line: GatewayLine, every: number) {
    this.#line = line;
    this.every = every;
  }

  /** In cents, as old as `every` at most; undefined where the gateway would not say. */
  available(): Promise<number | undefined> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.at >= this.every)
      this.#last = { at: now, cents: this.#line.balance() };
    return this.#last.cents;
  }
}
