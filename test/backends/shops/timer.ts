import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { listenAgain } from "../../support/gateway/local-server.ts";
import type { Outcome } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  openApp,
  type Order,
  serveShop,
  Shop,
  type StartShop,
  toCents,
} from "./shop.ts";

/** Tries before an order that is always refused fails. */
const TRIES = 3;

/** How often refused orders are sent again, in milliseconds. Nothing but the clock makes it look. */
const PAUSE = 800;

/** A timer sends definite refusals again, because they accepted nothing. A reference is sold once, and all is on disk, so a restart forgets nothing. */
class TimerShop extends Shop {
  #walletBefore: number | undefined;
  readonly #seen = new Set<string>();
  #hits: number[] = [];

  isTooOften(): boolean {
    this.#hits = [...this.#hits, Date.now()].filter((at) => Date.now() - at < 60_000);
    return this.defect === "limits how often callbacks may come" && this.#hits.length > 2;
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    const isEndless = this.defect === "retries for ever when its credentials are refused";
    const tries = outcome.kind === "refused" && outcome.code === 401 && isEndless ? Infinity : TRIES;
    const isRetried = outcome.kind === "refused" && outcome.code !== 422 && order.tries < tries;
    if (isRetried) return void (order.state = "new");
    if (outcome.kind === "unknown" && this.defect === "refunds after silence, and again after a failed result")
      this.balance += order.price;
    await super.answered(order, outcome);
  }

  override fail(order: Order): void {
    super.fail(order);
    if (this.defect === "refunds in whole tens") this.balance -= order.price % 1_000;
  }

  override find(callback: Callback): Order | undefined {
    const known = super.find(callback);
    if (known !== undefined || this.defect !== "refunds after silence, and again after a failed result") return known;
    return this.orders.find(({ phone_number }) => callback.result_desc.includes(phone_number));
  }

  override keep(callback: Callback, order?: Order): void {
    const isDropped = this.defect === "keeps only a success that arrives early" && !isSuccess(callback) && !order;
    if (!isDropped) super.keep(callback);
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    const isForgotten = this.defect === "forgets with a restart which callbacks it has seen";
    if (isForgotten && !this.#seen.has(callback.request_id)) order.state = "sent";
    this.#seen.add(callback.request_id);
    await super.settle(order, callback);
  }

  override book(callback: Callback): void {
    const { charge, account_balance: wallet } = callback;
    const fallen = (this.#walletBefore ?? wallet + charge) - wallet;
    this.#walletBefore = wallet;
    super.book(callback, toCents(this.defect === "books the fall of the wallet's balance" ? fallen : charge));
  }

  sendRefusedAgain(): void {
    for (const order of this.orders) if (order.state === "new" && order.tries > 0) void this.send(order);
  }

  restart(): void {
    if (this.defect === "forgets with a restart which callbacks it has seen") this.#seen.clear();
    for (const order of this.orders) {
      if (this.defect === "forgets with a restart which request was for which order") order.requestId = undefined;
      const isSentAgain = this.defect === "sends its unfinished orders again after a restart" && order.state === "sent";
      if (isSentAgain) void this.send(order);
    }
  }

  override reset(): void {
    super.reset();
    [this.#walletBefore, this.#hits] = [undefined, []];
    this.#seen.clear();
  }
}

export const startTimerShop: StartShop = (options) => {
  const { defect } = options;
  const shop = new TimerShop(options);
  const app = new Hono();
  app.use("/results/:kind", async (c, next) => {
    if (shop.isTooOften()) return c.text("too many requests", 429);
    await next();
    return defect === "acknowledges a callback after 3.4 s" ? sleep(3_400) : undefined;
  });
  const routes = {
    callback: "/results/:kind",
    balance: ["/balance", (balance: string) => ({ balance })],
    charges: ["/charges", (charges: object) => charges],
    reset: ["POST", "/reset"],
  } as const;
  openApp(shop, routes, app);
  app.post("/orders", async (c) => {
    const { reference = "", to = "", amount, message } = await c.req.json<Record<string, string>>();
    const isKnown = shop.get(reference) !== undefined;
    if (isKnown && defect !== "sells an order again that comes twice") return c.json({}, 200);
    const order = shop.take(isKnown ? `${reference}, again` : reference, { phone_number: to, amount, message });
    void shop.send(order);
    return c.json({}, 202);
  });
  app.get("/orders/:reference", (c) => {
    const order = shop.get(c.req.param("reference"));
    return order === undefined ? c.json({}, 404) : c.json(order);
  });
  app.post("/restart", (c) => {
    shop.restart();
    void listenAgain(server);
    return c.text("started");
  });
  const timer = setInterval(() => shop.sendRefusedAgain(), PAUSE);
  const server = honoServer(app);
  return serveShop(server, appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/orders", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.state, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/results/airtime", sms: "{app}/results/sms" }
restart: { request: { method: POST, url: "{app}/restart" } }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
