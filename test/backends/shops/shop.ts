import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import * as z from "zod";
import { parseJsonOrUndefined } from "../../../src/control/client/control-client.ts";
import { listenLocally } from "../../support/gateway/local-server.ts";
import type { Defect } from "./mutants.ts";
import { GatewayClient, type GatewayOrder, type Outcome } from "./gateway-client.ts";

/** How a shop reaches the gateway, and its one defect; a sound shop has none. */
export interface ShopOptions {
  /** The gateway's address without a slash at the end. */
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  readonly defect?: Defect | undefined;
  readonly terms?: Terms;
}

/** What an order costs the customer, and how its balance is shown; without them the list price, and at once. */
export interface Terms {
  /** In cents. */
  readonly priceOf?: (order: GatewayOrder, defect: Defect | undefined) => number;
  /** For how many milliseconds a balance is shown that was read once. */
  readonly cachedFor?: number;
}

/** A shop that listens on a port of its own. */
export interface ServedShop extends AsyncDisposable {
  readonly url: string;
  /** Its kredo.app.yaml. */
  readonly appMap: string;
}

/** Starts a shop of one style. */
export type StartShop = (options: ShopOptions) => Promise<ServedShop>;

export interface Order extends GatewayOrder {
  readonly id: string;
  /** In cents. */
  readonly price: number;
  state: "new" | "sent" | "paid" | "failed";
  /** From its acknowledgment, and from nowhere else. */
  requestId?: string;
  tries: number;
}

/** The callback as section 2.4 of the gateway's document describes it. Some gateways of this kind send text for its numbers. */
const callbackSchema = z.object({
  request_id: z.string(),
  charge: z.coerce.number(),
  account_balance: z.coerce.number(),
  result_code: z.union([z.number(), z.string()]),
  result_desc: z.string(),
});

export type Callback = z.output<typeof callbackSchema>;

/** What the customer starts with, in cents. */
const OPENING_BALANCE = 100_000_00;

/**
 * A sound shop: the customer pays when ordering and gets the money back when the order fails; the first callback of a request counts, also
 * when it comes before the acknowledgment; an order of unknown fate stays open. A style overrides what it does differently.
 */
export class Shop {
  readonly gateway: GatewayClient;
  readonly defect: Defect | undefined;
  orders: Order[] = [];
  balance = OPENING_BALANCE;
  charges: { request_id: string; amount: string }[] = [];
  /** The first one of each request_id. */
  readonly callbacks = new Map<string, Callback>();
  readonly #terms: Terms;
  #shown = { balance: OPENING_BALANCE, until: 0 };

  constructor(options: ShopOptions) {
    this.gateway = new GatewayClient(options);
    this.defect = options.defect;
    this.#terms = options.terms ?? {};
  }

  /** The balance in shillings, as the customer sees it. A reset does not empty a cache. */
  get shownBalance(): string {
    const { cachedFor = 0 } = this.#terms;
    if (Date.now() >= this.#shown.until) this.#shown = { balance: this.balance, until: Date.now() + cachedFor };
    return toShillings(this.#shown.balance);
  }

  /** Writes an order down, before anything is sent. */
  take(id: string, { phone_number, amount, message }: GatewayOrder): Order {
    const { priceOf = listPrice } = this.#terms;
    const price = priceOf({ phone_number, amount, message }, this.defect);
    const order: Order = { id, phone_number, amount, message, price, state: "new", tries: 0 };
    this.orders.push(order);
    this.balance -= order.price;
    return order;
  }

  get(id: string): Order | undefined {
    return this.orders.findLast((order) => order.id === id);
  }

  async send(order: Order): Promise<void> {
    order.state = "sent";
    order.tries += 1;
    await this.answered(order, await this.gateway.send(order));
  }

  async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "refused") this.fail(order);
    if (outcome.kind !== "accepted") return;
    order.requestId = outcome.requestId;
    const early = this.callbacks.get(outcome.requestId);
    if (early !== undefined) await this.settle(order, early);
  }

  async receive(callback: Callback): Promise<void> {
    const order = this.find(callback);
    this.keep(callback, order);
    if (order !== undefined) await this.settle(order, callback);
  }

  keep(callback: Callback, _order?: Order): void {
    if (!this.callbacks.has(callback.request_id)) this.callbacks.set(callback.request_id, callback);
  }

  /** A sound shop finds an order by the request_id of its acknowledgment alone. */
  find({ request_id }: Callback): Order | undefined {
    return this.orders.find(({ requestId }) => requestId === request_id);
  }

  async settle(order: Order, callback: Callback): Promise<void> {
    if (order.state !== "sent") return;
    if (isSuccess(callback)) this.succeed(order, callback);
    else this.fail(order);
  }

  succeed(order: Order, callback: Callback): void {
    order.state = "paid";
    this.book(callback, toCents(callback.charge));
  }

  book({ request_id }: Callback, cents: number): void {
    this.charges.push({ request_id, amount: toShillings(cents) });
  }

  fail(order: Order): void {
    order.state = "failed";
    this.balance += order.price;
  }

  reset(): void {
    [this.orders, this.charges, this.balance] = [[], [], OPENING_BALANCE];
    this.callbacks.clear();
  }
}

/** Where a shop is asked for what every shop has, and how it answers. */
export interface Routes {
  /** Missing where callbacks come another way. */
  readonly callback?: string;
  readonly balance: readonly [path: string, write: (shillings: string) => object];
  readonly charges?: readonly [path: string, write: (charges: Shop["charges"]) => object];
  readonly reset: readonly [method: string, path: string];
}

/** Adds the routes of a shop but those of its orders. */
export function openApp(shop: Shop, { callback: path, balance, charges, reset }: Routes, app = new Hono()): Hono {
  app.onError((_, c) => c.json({ error: "exception" }, 500));
  if (path !== undefined)
    app.post(path, async (c) => {
      const callback = readCallback(parseJsonOrUndefined(await c.req.text()));
      if (callback === undefined) return c.json({ error: "unreadable" }, 400);
      await shop.receive(callback);
      return c.json({ received: true });
    });
  app.get(balance[0], (c) => c.json(balance[1](shop.shownBalance)));
  if (charges !== undefined) app.get(charges[0], (c) => c.json(charges[1](shop.charges)));
  app.on(...reset, (c) => {
    shop.reset();
    return c.body(null, 204);
  });
  return app;
}

/** Undefined where the body is not a whole callback. */
export function readCallback(body: unknown): Callback | undefined {
  return callbackSchema.safeParse(body).data;
}

export function isSuccess({ result_code }: Callback): boolean {
  return Number(result_code) === 200;
}

/** In cents. */
export function listPrice({ amount }: GatewayOrder): number {
  return toCents(amount ?? 0);
}

export function toCents(shillings: number | string): number {
  return Math.round(Number(shillings) * 100);
}

function toShillings(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function honoServer(app: Hono): Server {
  const listener = getRequestListener(app.fetch);
  return createServer((request, response) => void listener(request, response));
}

/** `server` listens on a free port of 127.0.0.1; `stop` ends what runs beside it. */
export async function serveShop(
  server: Server,
  writeMap: (url: string) => string,
  stop: () => void = () => {},
): Promise<ServedShop> {
  const { port, close } = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    appMap: writeMap(url),
    async [Symbol.asyncDispose]() {
      stop();
      await close();
    },
  };
}
