import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { listenAgain } from "../../support/gateway/local-server.ts";
import type { GatewayOrder } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  openApp,
  type Order,
  type Routes,
  serveShop,
  Shop,
  type ShopOptions,
  type StartShop,
} from "./shop.ts";

/** Answers the customer, and asks the gateway 30 to 60 ms later. */
class AnswersFirstShop extends Shop {
  override take(id: string, form: GatewayOrder): Order {
    const order = super.take(id, form);
    void this.sendLater(order, 30 + 10 * (this.orders.length % 4));
    return order;
  }

  async sendLater(order: Order, pause: number): Promise<void> {
    await sleep(pause);
    await this.send(order);
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    const before = this.orders[this.orders.indexOf(order) - 1];
    const isChanged = this.defect === "gives an order's result to the one before it, too, if that is open";
    if (isChanged && before?.state === "sent" && before.requestId !== undefined)
      if (isSuccess(callback)) before.state = "paid";
      else this.fail(before);
    await super.settle(order, callback);
  }
}

/** How long an order is only on disk, in milliseconds: long enough for a restart. */
const ON_DISK = 400;

/** Keeps everything on disk before it answers. When it starts, it sends what was never sent; what was sent stays open. */
class DiskShop extends AnswersFirstShop {
  readonly #folder = mkdtempSync(join(tmpdir(), "kredo-shop-"));
  readonly #file = join(this.#folder, "shop.json");
  #starts = 0;

  override async sendLater(order: Order): Promise<void> {
    const started = this.#starts;
    await sleep(ON_DISK);
    if (started === this.#starts) await this.send(order);
  }

  override async send(order: Order): Promise<void> {
    const started = this.#starts;
    order.state = "sent";
    this.write();
    const outcome = await this.gateway.send(order);
    if (started !== this.#starts) return;
    await this.answered(order, outcome);
    this.write();
  }

  write(): void {
    const isForgotten = this.defect === "keeps new orders in memory until it sends them";
    const orders = this.orders.filter(({ state }) => state !== "new" || !isForgotten);
    const { balance, charges } = this;
    writeFileSync(this.#file, JSON.stringify({ orders, balance, charges, callbacks: [...this.callbacks] }));
  }

  restart(): void {
    this.#starts += 1;
    const { orders, balance, charges, callbacks } = JSON.parse(readFileSync(this.#file, "utf8"));
    [this.orders, this.balance, this.charges] = [orders, balance, charges];
    this.callbacks.clear();
    for (const [id, callback] of callbacks) this.callbacks.set(id, callback);
    for (const order of this.orders) {
      if (order.state === "new") void this.sendLater(order);
      const isPaidAgain = this.defect === "debits paid orders again when it starts";
      if (isPaidAgain && order.state === "paid") this.balance -= order.price;
    }
  }

  override reset(): void {
    super.reset();
    this.#starts += 1;
  }

  remove(): void {
    this.#starts += 1;
    rmSync(this.#folder, { recursive: true });
  }
}

export const startAnswersFirstShop: StartShop = (options) => {
  const shop = new AnswersFirstShop(options);
  return serveShop(honoServer(openOrders(shop)), appMap);
};

export const startDiskShop: StartShop = (options: ShopOptions) => {
  const shop = new DiskShop(options);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    if (c.req.method !== "GET") shop.write();
  });
  app.post("/restart", (c) => {
    shop.restart();
    void listenAgain(server);
    return c.text("started");
  });
  const server = honoServer(openOrders(shop, app));
  const restart = 'restart: { request: { method: POST, url: "{app}/restart" } }\n';
  return serveShop(
    server,
    (url) => `${appMap(url)}${restart}`,
    () => shop.remove(),
  );
};

function openOrders(shop: Shop, app = new Hono()): Hono {
  const routes: Routes = {
    callback: "/results/:kind",
    balance: ["/balance", (balance) => ({ balance })],
    charges: ["/charges", (charges) => charges],
    reset: ["POST", "/reset"],
  };
  openApp(shop, routes, app);
  app.post("/orders", async (c) => {
    const { reference = "", to = "", amount, message } = await c.req.json<Record<string, string>>();
    const order = shop.take(reference, { phone_number: to, amount, message });
    return c.json({ reference: order.id }, 201);
  });
  app.get("/orders/:reference", (c) => {
    const order = shop.get(c.req.param("reference"));
    return order === undefined ? c.json({}, 404) : c.json({ state: order.state });
  });
  return app;
}

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/orders", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.state, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/results/airtime", sms: "{app}/results/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
