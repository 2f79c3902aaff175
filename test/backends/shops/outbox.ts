import { Hono } from "hono";
import { parseJsonOrUndefined } from "../../../src/control/client/control-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  openApp,
  type Order,
  readCallback,
  serveShop,
  Shop,
  type StartShop,
} from "./shop.ts";

/** How often the dispatcher looks, in milliseconds; the tick makes it look now. */
const PAUSE = 100;

/** An outbox for requests and an inbox for callbacks, where each waits until its order is known; one dispatcher works through both. */
class OutboxShop extends Shop {
  #inbox: Callback[] = [];
  #dispatching: Promise<void> = Promise.resolve();

  override async receive(callback: Callback): Promise<void> {
    this.#inbox.push(callback);
  }

  dispatch(): Promise<void> {
    this.#dispatching = this.#dispatchNew(this.#dispatching);
    return this.#dispatching;
  }

  async #dispatchNew(earlier: Promise<void>): Promise<void> {
    await earlier;
    await Promise.all(this.orders.filter(({ state }) => state === "new").map((order) => this.send(order)));
    for (const callback of this.#inbox.splice(0))
      if (this.find(callback) === undefined) this.#inbox.push(callback);
      else await super.receive(callback);
  }

  override find(callback: Callback): Order | undefined {
    if (this.defect !== "gives every callback to the newest open order") return super.find(callback);
    return this.orders.findLast(({ state }) => state === "sent");
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    if (isSuccess(callback) || this.defect !== "ignores failed results") await super.settle(order, callback);
  }

  override reset(): void {
    super.reset();
    this.#inbox = [];
  }
}

export const startOutboxShop: StartShop = (options) => {
  const shop = new OutboxShop(options);
  const app = new Hono();
  const server = honoServer(app);
  const timer = setInterval(() => void shop.dispatch(), PAUSE);
  app.use("/inbox", async (c, next) => {
    const isCallback = readCallback(parseJsonOrUndefined(await c.req.text())) !== undefined;
    if (options.defect !== "crashes on a malformed callback" || isCallback) return next();
    // As a process does that dies of an uncaught exception.
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  });
  const routes = {
    callback: "/inbox",
    balance: ["/account", (balance: string) => ({ balance: Number(balance) })],
    charges: ["/charges", (charges: object) => ({ charges })],
    reset: ["DELETE", "/everything"],
  } as const;
  openApp(shop, routes, app);
  app.put("/orders/:id", async (c) => {
    const { to, amount, text = "" } = await c.req.json<{ to: string; amount?: string; text?: string }>();
    const order = shop.take(c.req.param("id"), { phone_number: to, amount, message: text });
    return c.json({ id: order.id }, 202);
  });
  app.get("/orders/:id", (c) => {
    const order = shop.get(c.req.param("id"));
    return order === undefined ? c.json({}, 404) : c.json({ status: order.state });
  });
  app.post("/dispatch", async (c) => {
    await shop.dispatch();
    return c.json({ dispatched: true });
  });
  return serveShop(server, appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { method: PUT, url: "{app}/orders/{reference}", json: { to: "{phone_number}", amount: "{amount}" } } }
  sms: { request: { method: PUT, url: "{app}/orders/{reference}", json: { to: "{phone_number}", text: "{message}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/account" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/inbox", sms: "{app}/inbox" }
reset: { request: { method: DELETE, url: "{app}/everything" } }
tick: { request: { method: POST, url: "{app}/dispatch" } }
settle: 500ms
`;
