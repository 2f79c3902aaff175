import type { Exchange } from "./finding.ts";

/** How a thing began is told by few exchanges, how it goes on by the last ones. */
const FIRST = 3;
const LAST = 17;

/** The exchanges that prove a finding: the first ones and the last ones, each of them once. */
export class Evidence {
  readonly #first: Exchange[] = [];
  readonly #last: Exchange[] = [];

  add(exchange: Exchange): void {
    if (this.#has(exchange)) return;
    if (this.#first.length < FIRST) this.#first.push(exchange);
    else this.#last.push(exchange);
    if (this.#last.length > LAST) this.#last.shift();
  }

  /** Oldest first. */
  list(): Exchange[] {
    return [...this.#first, ...this.#last];
  }

  #has(exchange: Exchange): boolean {
    return this.#first.some((other) => isSame(other, exchange)) || this.#last.some((other) => isSame(other, exchange));
  }
}

function isSame(one: Exchange, other: Exchange): boolean {
  if (one.requestId !== other.requestId || one.kind !== other.kind) return false;
  return one.kind === "request" || (other.kind === "callback" && one.attempt === other.attempt);
}
