import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "./http-shell.ts";
import { type BackendOptions, serveBackend } from "./reference-backend.ts";
import type { GatewayOrder, Outcome } from "./shops/gateway-client.ts";
import { type Order, Shop, type ShopOptions } from "./shops/shop.ts";

export interface SoundOptions extends BackendOptions {
  /** The first pause after a refusal that may pass, in milliseconds; 1 s unless told. */
  readonly backOff?: number;
}

/** A backend that loses no money, whatever the gateway does: what every rehearsal must find nothing wrong with. */
export function startSoundBackend({ backOff = 1_000, ...options }: SoundOptions): Promise<Backend> {
  const shop = new SoundShop(options, backOff);
  return serveBackend(options.port, shop, {
    place: async () => void shop.sendAll(),
    resume: () => shop.resume(),
    stop: () => shop.close(),
    token: "rehearsal",
  });
}

const TRIES = 6;

/** Sends orders one after another, and none whose fate is unknown a second time. */
class SoundShop extends Shop {
  readonly #backOff: number;
  readonly #ending = new AbortController();
  /** Whether it lacks money or credentials, which only a person can mend. */
  #isHalted = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: ShopOptions, backOff: number) {
    super(options);
    this.#backOff = backOff;
  }

  /** An order as the gateway wants it: 254 and nine digits, and no character that makes a message dearer. */
  override take(id: string, { phone_number, amount, message }: GatewayOrder): Order {
    const digits = phone_number.replaceAll(/[^0-9]/g, "").replace(/^0/, "254");
    return super.take(id, { phone_number: digits, amount, message: message && spellCheaply(message) });
  }

  resume(): void {
    this.#isHalted = false;
    void this.sendAll();
  }

  close(): void {
    this.#ending.abort();
  }

  /** Sends what is queued, until it has to stop. */
  sendAll(): Promise<void> {
    this.#work = this.#sendQueued(this.#work);
    return this.#work;
  }

  async #sendQueued(earlier: Promise<void>): Promise<void> {
    await earlier;
    const { signal } = this.#ending;
    for (const order of this.orders.filter(({ state }) => state === "new"))
      while (order.state === "new" && !this.#isHalted && !signal.aborted) await this.send(order);
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    const { code, retryAfter } = outcome.kind === "refused" ? outcome : { code: 0, retryAfter: 0 };
    if (code >= 401 && code <= 403) {
      this.#isHalted = true;
      order.state = "new";
      return;
    }
    if ((code !== 429 && code < 500) || order.tries >= TRIES) return super.answered(order, outcome);
    order.state = "new";
    // Jitter, so that many of us do not come back together (RFC 9110 §10.2.3 asks for at least the stated time).
    const grown = this.#backOff * 2 ** (order.tries - 1) * (1 + Math.random() / 2);
    await sleep(Math.max(grown, retryAfter * 1_000), undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

/** Characters outside the GSM set that a word processor puts in, and what says the same within it. */
const CHEAPER: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
  "\u00A0": " ",
};

function spellCheaply(message: string): string {
  return message.replaceAll(/[‘’“”–—…\u00A0]/g, (character) => CHEAPER[character] ?? character);
}
