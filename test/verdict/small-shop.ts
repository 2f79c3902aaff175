import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../../src/index.ts";
import { openShell, type RouteAnswer, type RouteRequest, type Routes } from "../backends/http-shell.ts";

/** An order of the small shop. */
export interface SmallOrder {
  readonly reference: string;
  readonly phoneNumber: string;
  readonly amount: number;
  status: "open" | "paid" | "failed";
  requestId?: string;
}

export interface SmallCallback {
  readonly request_id: string;
  readonly result_code: number | string;
  readonly charge: number;
}

/** What a test lets the shop do differently. Everything left out is sound. */
export interface Behaviour {
  /** After an answer of the gateway; undefined if there was none in the gateway's own form. */
  readonly answered?: (shop: SmallShop, order: SmallOrder, code: number | undefined) => Promise<void> | void;
  /** Reads a refusal. What it throws is like no answer. */
  readonly reads?: (refusal: Readonly<Record<string, unknown>>) => void;
  /** What it answers to an order that it has sent, in place of 201; undefined for that. */
  readonly reply?: (shop: SmallShop, order: SmallOrder, code: number | undefined) => RouteAnswer | undefined;
  /** In place of a sound receiver. */
  readonly receive?: (shop: SmallShop, callback: SmallCallback) => Promise<RouteAnswer> | RouteAnswer;
  /** Before the shop answers an order. */
  readonly placing?: (shop: SmallShop, request: RouteRequest) => RouteAnswer | undefined;
  readonly status?: (shop: SmallShop, order: SmallOrder | undefined) => RouteAnswer;
  readonly balance?: (shop: SmallShop) => RouteAnswer;
  /** What a proxy before it answers to an order that a restart cuts off. By default, the connection ends. */
  readonly cut?: number;
  /** When it starts again, after all that it was doing has ended. */
  readonly restarted?: (shop: SmallShop) => void;
  /** How long after its answer a restart ends it, in milliseconds; never, if it goes on listening through a restart. */
  readonly endsAfter?: number | "never";
  /** How long it takes to show its balance, in milliseconds. */
  readonly balanceAfter?: number;
  /** How long it waits for an answer of the gateway, in milliseconds; 1 s unless told. */
  readonly patience?: number;
  /** The secrets that it has: after a 401 it tries the next one. Only the account's unless told. */
  readonly secrets?: readonly string[];
  /** Lines of the app map, by key; undefined leaves one out. */
  readonly map?: Readonly<Record<string, string | undefined>>;
}

/** A shop of a few lines that a test breaks in one place. */
export class SmallShop {
  readonly orders = new Map<string, SmallOrder>();
  readonly byRequest = new Map<string, SmallOrder>();
  readonly early = new Map<string, SmallCallback>();
  readonly #sandbox: Sandbox;
  readonly #patience: number;
  readonly #reads: Behaviour["reads"];
  readonly #secrets: readonly string[];
  /** Which of them was accepted last. */
  #current = 0;
  #life = new AbortController();
  /** Resolves when the shop is restarted. */
  ended = once(this.#life.signal, "abort");
  balance = 1_000_000;

  constructor(sandbox: Sandbox, { patience = 1_000, reads, secrets = [sandbox.consumerSecret] }: Behaviour = {}) {
    this.#sandbox = sandbox;
    this.#secrets = secrets;
    this.#patience = patience;
    this.#reads = reads;
  }

  /** Ends what it is doing, and starts again. */
  restart(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.ended = once(this.#life.signal, "abort");
  }

  /** Continues after `work`; never, if the shop was restarted meanwhile. */
  async outliving<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#life;
    const result = await work;
    return signal.aborted ? new Promise(() => {}) : result;
  }

  /** Sends an order to the gateway; resolves to the code of an answer in its own form. */
  async send(order: SmallOrder): Promise<number | undefined> {
    const code = await this.outliving(this.#send(order));
    if (code !== 401 || this.#secrets.length === 1) return code;
    this.#current = (this.#current + 1) % this.#secrets.length;
    return this.outliving(this.#send(order));
  }

  async #send(order: SmallOrder): Promise<number | undefined> {
    const { url, consumerKey } = this.#sandbox;
    const headers = {
      authorization: `Basic ${btoa(`${consumerKey}:${this.#secrets[this.#current]}`)}`,
      "content-type": "application/json",
    };
    const body = JSON.stringify({ phone_number: order.phoneNumber, amount: String(order.amount) });
    try {
      const late = new AbortController();
      // A timeout's signal that only another follows may be collected, and would then never fire (github.com/nodejs/node/issues/57736).
      AbortSignal.timeout(this.#patience).addEventListener("abort", () => late.abort());
      const signal = AbortSignal.any([late.signal, this.#life.signal]);
      const response = await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body, signal });
      const answer: { status_code?: number; request_id?: string } = JSON.parse(await response.text());
      if (!response.ok) this.#reads?.(answer);
      if (answer.status_code === 200 && answer.request_id !== undefined) this.acknowledge(order, answer.request_id);
      return answer.status_code;
    } catch {
      return undefined;
    }
  }

  acknowledge(order: SmallOrder, requestId: string): void {
    order.requestId = requestId;
    this.byRequest.set(requestId, order);
    const early = this.early.get(requestId);
    if (early !== undefined) this.settle(order, early.result_code === 200);
  }

  settle(order: SmallOrder, isPaid: boolean): void {
    if (order.status !== "open") return;
    order.status = isPaid ? "paid" : "failed";
    if (!isPaid) this.balance += order.amount;
  }

  receive(callback: SmallCallback): void {
    const order = this.byRequest.get(callback.request_id);
    if (order !== undefined) this.settle(order, callback.result_code === 200);
    else if (!this.early.has(callback.request_id)) this.early.set(callback.request_id, callback);
  }
}

/** Starts a small shop beside a sandbox. */
export async function startSmallShop(sandbox: Sandbox, behaviour: Behaviour = {}) {
  const shop = new SmallShop(sandbox, behaviour);
  const { answered = soundly, reply, receive, placing, status = showOrder, cut: cutWith = 0 } = behaviour;
  const routes: Routes = {
    "POST /orders": async (request) => {
      const refusal = placing?.(shop, request);
      if (refusal !== undefined) return refusal;
      const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(request.text);
      const order: SmallOrder = { reference, phoneNumber: to, amount, status: "open" };
      shop.orders.set(reference, order);
      shop.balance -= order.amount;
      const cut = shop.ended.then(() => ({ status: cutWith }));
      const work = async (): Promise<RouteAnswer> => {
        const code = await shop.send(order);
        await answered(shop, order, code);
        return reply?.(shop, order, code) ?? { status: 201, json: order };
      };
      return await Promise.race([shop.outliving(work()), cut]);
    },
    "GET /orders/:id": ({ id }) => status(shop, shop.orders.get(id)),
    "GET /latest": () => status(shop, [...shop.orders.values()].at(-1)),
    "GET /balance": async () => {
      await sleep(behaviour.balanceAfter ?? 0);
      return behaviour.balance?.(shop) ?? { status: 200, json: { balance: shop.balance } };
    },
    "POST /hooks": async ({ text }) => {
      const callback: SmallCallback = JSON.parse(text);
      if (receive !== undefined) return await receive(shop, callback);
      shop.receive(callback);
      return { status: 200 };
    },
    "POST /restart": () => {
      const { endsAfter = 0, restarted } = behaviour;
      const end = (): void => {
        shop.restart();
        restarted?.(shop);
        void backend.restart();
      };
      if (endsAfter === 0) end();
      else if (endsAfter !== "never") setTimeout(end, endsAfter);
      return { status: 200 };
    },
    "POST /reset": () => {
      for (const map of [shop.orders, shop.byRequest, shop.early]) map.clear();
      shop.balance = 1_000_000;
      return { status: 200 };
    },
  };
  const backend = await openShell(0, routes, () => {});
  const lines: Record<string, string | undefined> = {
    version: "1",
    application: backend.url,
    order:
      '{ airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}", amount: { number: "{amount}" }, reference: "{reference}" } } } }',
    status:
      '{ request: { url: "{app}/orders/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: open }',
    balance: '{ request: { url: "{app}/balance" }, json_path: $.balance }',
    callbacks: '{ airtime: "{app}/hooks" }',
    reset: '{ request: { method: POST, url: "{app}/reset" } }',
    settle: "150ms",
    ...behaviour.map,
  };
  const appMap = Object.entries(lines)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}\n`]))
    .join("");
  return { ...backend, shop, appMap };
}

/** A refusal of the gateway itself fails the order; without an answer it stays open. */
export function soundly(shop: SmallShop, order: SmallOrder, code: number | undefined): void {
  if (code !== undefined && code !== 200) shop.settle(order, false);
}

/** What a sound shop shows of an order. */
export function showOrder(_shop: SmallShop, order: SmallOrder | undefined): RouteAnswer {
  return order === undefined ? { status: 404, json: {} } : { status: 200, json: { status: order.status } };
}
