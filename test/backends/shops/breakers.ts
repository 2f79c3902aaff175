import { Hono } from "hono";
import type { Outcome } from "./gateway-client.ts";
import { honoServer, openApp, type Order, type Routes, serveShop, Shop, type StartShop } from "./shop.ts";

/** Failures after which the breaker opens, and for how long, in milliseconds. */
const FAILURES = 3;
const OPEN = 2_000;

/** After three requests without a readable answer, one after another, it refuses orders itself for two seconds. */
class BreakerShop extends Shop {
  #failures = 0;
  #opensUntil = 0;

  get isOpen(): boolean {
    return Date.now() < this.#opensUntil;
  }

  override async send(order: Order): Promise<void> {
    if (!this.isOpen) await super.send(order);
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    this.#failures = outcome.kind === "unknown" ? this.#failures + 1 : 0;
    const isEndless = this.defect?.startsWith("takes orders and drops them once its circuit breaker has opened");
    if (this.#failures >= FAILURES) [this.#failures, this.#opensUntil] = [0, isEndless ? Infinity : Date.now() + OPEN];
    await super.answered(order, outcome);
  }

  /** Emptying its tables closes no breaker. */
  override reset(): void {
    super.reset();
    const isClosed =
      this.defect === "takes orders and drops them once its circuit breaker has opened, until it is reset";
    if (isClosed) this.#opensUntil = 0;
  }
}

/** Places in the pool of connections. */
const PLACES = 4;

/** Each of its requests takes a connection of a pool, and gives it back at its end; an order keeps it while it asks the gateway. */
class PoolShop extends Shop {
  #free = PLACES;
  #lost = 0;
  readonly #waiting: (() => void)[] = [];

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    const isKept = this.defect === "keeps a connection of its pool after silence";
    if (isKept && outcome.kind === "unknown" && outcome.why === "silence") this.#lost += 1;
    await super.answered(order, outcome);
  }

  async withConnection(work: () => Promise<void>): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    try {
      await work();
    } finally {
      if (this.#lost > 0) this.#lost -= 1;
      else this.#free += 1;
      this.#waiting.shift()?.();
    }
  }
}

/** How often the thread of its dashboard asks what the wallet has, in milliseconds. */
const WATCH = 600;

export const startBreakerShop: StartShop = (options) => {
  const shop = new BreakerShop(options);
  const app = new Hono();
  app.use("/orders/:kind", async (c, next) => {
    const isTaken = !shop.isOpen || c.req.method === "GET" || options.defect !== undefined;
    return isTaken ? next() : c.json({ error: "try again in two seconds" }, 503, { "retry-after": "2" });
  });
  return serveShop(honoServer(openOrders(shop, app)), appMap);
};

export const startPoolShop: StartShop = (options) => {
  const shop = new PoolShop(options);
  const app = new Hono();
  app.use((_, next) => shop.withConnection(next));
  return serveShop(honoServer(openOrders(shop, app)), appMap);
};

export const startWatchingShop: StartShop = (options) => {
  const shop = new Shop(options);
  const timer = setInterval(() => void shop.gateway.balance(), WATCH);
  return serveShop(honoServer(openOrders(shop)), appMap, () => clearInterval(timer));
};

/** Its orders call the gateway within the request. */
function openOrders(shop: Shop, app = new Hono()): Hono {
  const routes: Routes = {
    callback: "/hooks/:kind",
    balance: ["/customers/alice", (balance) => ({ balance })],
    charges: ["/charges", (charges) => charges],
    reset: ["POST", "/reset"],
  };
  openApp(shop, routes, app);
  app.post("/orders/:kind", async (c) => {
    const { reference = "", to = "", amount, message } = await c.req.json<Record<string, string>>();
    const order = shop.take(reference, { phone_number: to, amount, message });
    await shop.send(order);
    return c.json({ reference }, 201);
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
  airtime: { request: { url: "{app}/orders/airtime", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/orders/sms", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.state, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/customers/alice" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/hooks/airtime", sms: "{app}/hooks/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
