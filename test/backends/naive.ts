import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parseJsonOrUndefined } from "../../src/control/client/control-client.ts";
import type { Backend } from "./http-shell.ts";
import { type BackendOptions, serveBackend } from "./reference-backend.ts";
import { type Callback, isSuccess, type Order, Shop } from "./shops/shop.ts";

export interface NaiveOptions extends BackendOptions {
  /** Before it tries again, in milliseconds, always the same; none unless told, and none ever after a 429. */
  readonly pause?: number;
}

/**
 * A backend that works as long as everything goes well, written as many are: whatever carries a request_id is accepted, what
 * fails is tried again at once, and each callback is believed.
 */
export function startNaiveBackend({ pause = 0, ...options }: NaiveOptions): Promise<Backend> {
  const shop = new NaiveShop(options, pause);
  // It never stops, so there is nothing to take up again.
  return serveBackend(options.port, shop, {
    place: (order) => shop.send(order),
    resume: () => {},
    stop: () => {},
  });
}

const RETRIES = 3;

class NaiveShop extends Shop {
  readonly #options: BackendOptions;
  readonly #pause: number;

  constructor(options: BackendOptions, pause: number) {
    super(options);
    this.#options = options;
    this.#pause = pause;
  }

  override async send(order: Order): Promise<void> {
    let answer = await this.#post(order);
    for (let retries = 0; retries < RETRIES && looksTransient(answer.status); retries += 1) {
      if (answer.status !== 429) await sleep(this.#pause);
      answer = await this.#post(order);
    }
    const { data } = z.object({ request_id: z.string() }).safeParse(answer.json);
    order.state = data === undefined ? "failed" : "sent";
    order.requestId = data?.request_id;
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    if (isSuccess(callback)) this.succeed(order, callback);
    else order.state = "failed";
  }

  /** A status of 0 is no answer. */
  async #post({ phone_number, amount, message }: Order): Promise<{ status: number; json?: unknown }> {
    const { gateway, key, secret } = this.#options;
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
    const isAirtime = amount !== undefined;
    const sent = fetch(`${gateway}/api/v2/${isAirtime ? "airtime" : "sms"}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", connection: "close" },
      body: JSON.stringify(isAirtime ? { phone_number, amount } : { phone_number, message, sender_id: "SANDBOX" }),
      signal: AbortSignal.timeout(2_000),
    });
    return sent.then(
      async (answer) => ({ status: answer.status, json: parseJsonOrUndefined(await answer.text()) }),
      () => ({ status: 0 }),
    );
  }
}

function looksTransient(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
