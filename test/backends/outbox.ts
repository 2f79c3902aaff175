import { setTimeout as sleep } from "node:timers/promises";
import type { BalanceGauge } from "./balance-gauge.ts";
import type { Desk } from "./desk.ts";
import type { GatewayLine } from "./gateway-line.ts";
import { type SoundOrder, wireBody } from "./sound-order.ts";
import { judge, type RefusedForNow } from "./verdict.ts";

export interface OutboxParts {
  readonly line: GatewayLine;
  readonly desk: Desk;
  readonly gauge: BalanceGauge;
  /** The first pause after a refusal that may pass, in milliseconds; it doubles each time. */
  readonly backOff: number;
}

/** Why nothing is sent at the moment. */
export type CliError = "no money" | "wrong credentials";

const TRIES = 6;

/** Sends orders one after another, and none whose fate is unknown a second time. */
export class Outbox {
  halt: CliError | undefined;
  readonly #parts: OutboxParts;
  readonly #queue: SoundOrder[] = [];
  readonly #ending = new AbortController();
  /** RouteAnswer when the orders in the queue will not be sent for a while. */
  #whoWaits: (() => void)[] = [];
  #isAtWork = false;
  #isPausing = false;
  #isAwaitingMoney = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Resolves when the order has been sent once, or when it is plain that it has to wait. */
  async put(order: SoundOrder): Promise<void> {
    this.#queue.push(order);
    void this.#work();
    while (this.#isOnItsWay(order)) await this.#nextChange();
  }

  /** Somebody has mended what stopped it. */
  resume(): void {
    this.halt = undefined;
    void this.#work();
  }

  close(): void {
    this.#ending.abort();
    this.#tell();
  }

  #isOnItsWay({ standing }: SoundOrder): boolean {
    if (this.#ending.signal.aborted) return false;
    return (
      standing.status === "sending" || (standing.status === "queued" && this.halt === undefined && !this.#isPausing)
    );
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    for (let order = this.#next(); order !== undefined; order = this.#next()) await this.#sendOnce(order);
    this.#isAtWork = false;
  }

  #next(): SoundOrder | undefined {
    return this.halt !== undefined || this.#ending.signal.aborted ? undefined : this.#queue[0];
  }

  async #sendOnce(order: SoundOrder): Promise<void> {
    order.standing = { status: "sending" };
    const verdict = judge(await this.#parts.line.post(`/api/v2/${order.kind}`, wireBody(order)));
    if (verdict.kind === "refused for now") return this.#backOff(order, verdict);
    if (verdict.kind === "halt") return this.#stop(order, verdict.why);
    this.#queue.shift();
    if (verdict.kind === "accepted") this.#parts.desk.acknowledge(order, verdict.requestId);
    else if (verdict.kind === "refused") order.standing = { status: "failed", reason: verdict.reason };
    else this.#parts.desk.lose(order, verdict.why);
    this.#tell();
  }

  async #backOff(order: SoundOrder, { reason, retryAfter }: RefusedForNow): Promise<void> {
    order.tries += 1;
    if (order.tries === TRIES) {
      this.#queue.shift();
      order.standing = { status: "failed", reason };
      this.#tell();
      return;
    }
    order.standing = { status: "queued" };
    this.#isPausing = true;
    this.#tell();
    // Jitter, so that many of us do not come back together (RFC 9110 §10.2.3 asks for at least the stated time).
    const grown = this.#parts.backOff * 2 ** (order.tries - 1) * (1 + Math.random() / 2);
    await this.#sleep(Math.max(grown, (retryAfter ?? 0) * 1_000));
    this.#isPausing = false;
  }

  #stop(order: SoundOrder, why: CliError): void {
    order.standing = { status: "queued" };
    this.halt = why;
    this.#tell();
    if (why === "no money") void this.#awaitMoney(order);
  }

  async #awaitMoney({ price }: SoundOrder): Promise<void> {
    if (this.#isAwaitingMoney) return;
    this.#isAwaitingMoney = true;
    while (this.halt === "no money" && !this.#ending.signal.aborted) {
      await this.#sleep(this.#parts.gauge.every);
      const available = await this.#parts.gauge.available();
      if (available !== undefined && available >= price) this.resume();
    }
    this.#isAwaitingMoney = false;
  }

  /** Ends early when the outbox closes. */
  async #sleep(millis: number): Promise<void> {
    await sleep(millis, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#whoWaits.push(resolve));
  }

  #tell(): void {
    const waiting = this.#whoWaits;
    this.#whoWaits = [];
    for (const tell of waiting) tell();
  }
}
