import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import type { GatewayOrder, Outcome } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  openApp,
  type Order,
  type Routes,
  serveShop,
  Shop,
  type StartShop,
} from "./shop.ts";

/** Answers 202 at once and calls the gateway in the background; the customer pays when the airtime is delivered. */
class BackgroundShop extends Shop {
  /** Nobody knows whether the gateway accepted them. */
  readonly #lost = new Set<Order>();
  readonly #seen = new Set<string>();
  readonly #paidAt = new Map<Order, number>();

  override take(id: string, form: GatewayOrder): Order {
    const order = super.take(id, form);
    this.balance += order.price;
    return order;
  }

  override fail(order: Order): void {
    order.state = "failed";
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "unknown") await this.#lose(order);
    if (outcome.kind === "accepted" && this.defect === "takes the acknowledgment for the result") this.#debit(order);
    await super.answered(order, outcome);
  }

  async #lose(order: Order): Promise<void> {
    const isGivenUp = this.defect === "fails an order after silence when it cannot read its balance";
    if (isGivenUp && (await this.gateway.balance()) === undefined) this.fail(order);
    this.#lost.add(order);
    const stray = [...this.callbacks.values()].find((callback) => this.find(callback) === order);
    if (stray !== undefined) await this.settle(order, stray);
  }

  override async receive(callback: Callback): Promise<void> {
    if (this.defect === "answers 500 to a repeated callback" && this.#seen.has(callback.request_id))
      throw new Error("duplicate key");
    this.#seen.add(callback.request_id);
    await super.receive(callback);
  }

  override find(callback: Callback): Order | undefined {
    const known = super.find(callback);
    if (known !== undefined) return known;
    if (this.defect === "gives a callback that it does not know to the only order without an answer")
      return this.#lost.size === 1 ? [...this.#lost][0] : undefined;
    if (this.defect !== "debits for each callback that names the number of an order without an answer")
      return undefined;
    return [...this.#lost].find(({ phone_number }) => callback.result_desc.includes(phone_number));
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    if (order.state === "failed") return;
    const isPaid = isSuccess(callback) || this.defect === "takes any result as paid";
    if (!isPaid && order.state !== "paid") this.fail(order);
    if (!isPaid || (order.state === "paid" && !this.#isDebitedAgain(order))) return;
    if (this.defect === "checks, then debits 80 ms later") await sleep(80);
    this.#debit(order);
  }

  #isDebitedAgain(order: Order): boolean {
    if (this.defect === "debits for each callback") return true;
    if (this.defect === "takes a callback for new that is repeated after two seconds")
      return Date.now() - (this.#paidAt.get(order) ?? Date.now()) > 2_000;
    const isByNumber = this.defect === "debits for each callback that names the number of an order without an answer";
    return isByNumber && this.#lost.has(order);
  }

  #debit(order: Order): void {
    order.state = "paid";
    this.#paidAt.set(order, Date.now());
    this.balance -= order.price;
  }

  override reset(): void {
    super.reset();
    this.#lost.clear();
    this.#seen.clear();
  }
}

export const startBackgroundShop: StartShop = (options) => {
  const shop = new BackgroundShop(options);
  const app = new Hono();
  app.use("/callbacks/*", async (c, next) => {
    // A sound receiver may refuse what it cannot read.
    return c.req.header("content-type")?.startsWith("application/json") === true ? next() : c.json({}, 415);
  });
  const routes: Routes = {
    callback: "/callbacks/:kind",
    balance: ["/api/me", (balance) => ({ wallet: { available: Number(balance) } })],
    reset: ["POST", "/testing/reset"],
  };
  openApp(shop, routes, app);
  app.post("/api/:kind/buy", async (c) => {
    const { phone, amount, message } = await c.req.json<{ phone: string; amount?: number; message?: string }>();
    const order = shop.take(randomUUID(), { phone_number: phone, amount, message });
    void shop.send(order);
    return c.json({ data: { purchase_id: order.id } }, 202);
  });
  app.get("/api/purchases/:id", (c) => {
    const order = shop.get(c.req.param("id"));
    return c.json({ data: order }, order ? 200 : 404);
  });
  return serveShop(honoServer(app), appMap);
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.data.purchase_id, request: { url: "{app}/api/airtime/buy", json: { phone: "{phone_number}", amount: "{amount}" } } }
  sms: { id: $.data.purchase_id, request: { url: "{app}/api/sms/buy", json: { phone: "{phone_number}", message: "{message}" } } }
status: { request: { url: "{app}/api/purchases/{id}" }, json_path: $.data.state, paid: paid, failed: failed, open: sent }
balance: { request: { url: "{app}/api/me" }, json_path: $.wallet.available }
callbacks: { airtime: "{app}/callbacks/airtime", sms: "{app}/callbacks/sms" }
reset: { request: { method: POST, url: "{app}/testing/reset" } }
settle: 500ms
`;
