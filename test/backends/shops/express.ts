import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import type { Outcome } from "./gateway-client.ts";
import { type Callback, listPrice, type Order, readCallback, serveShop, Shop, type StartShop } from "./shop.ts";

/** Calls the gateway within the request. */
class ExpressShop extends Shop {
  override async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "unknown" && this.defect === "takes silence for failure") this.fail(order);
    const isGivenBack = this.defect === "gives the money back after silence, and keeps the order open";
    if (outcome.kind === "unknown" && isGivenBack) this.balance += order.price;
    await super.answered(order, outcome);
  }

  /** The race writes back what it read, less the order's price. */
  override async send(order: Order): Promise<void> {
    if (this.defect !== "writes back the balance that it read before it asked the gateway") return super.send(order);
    this.balance += order.price;
    const read = this.balance;
    await sleep(30);
    await super.send(order);
    this.balance = order.state === "failed" ? read : read - order.price;
  }

  override succeed(order: Order, callback: Callback): void {
    const isDearer = this.defect === "debits a shilling more for amounts that end in 7" && order.price % 1_000 === 700;
    if (isDearer) this.balance -= 100;
    super.succeed(order, callback);
  }

  override book(callback: Callback, cents: number): void {
    const isCut = this.defect === "books a cent too little of some charges";
    super.book(callback, isCut ? Math.trunc(callback.charge * 100) : cents);
  }

  override keep(callback: Callback): void {
    if (this.defect !== "drops early callbacks") super.keep(callback);
  }

  override fail(order: Order): void {
    super.fail(order);
    this.balance -= order.price - this.#refundOf(order);
  }

  #refundOf(order: Order): number {
    const isKept =
      this.defect === "never refunds" || this.defect === "keeps the money of a failed order behind a cache";
    if (isKept) return 0;
    const isListPrice = this.defect === "refunds the list price" || this.defect === "keeps the fee of a failed order";
    return isListPrice ? listPrice(order) : order.price;
  }
}

export const startExpressShop: StartShop = (options) => {
  const shop = new ExpressShop(options);
  const app = express();
  app.use(express.json({ type: () => true }));
  app.post("/orders/:kind", async (request, response) => {
    const { to, amount, text, reference } = request.body;
    const order = shop.take(reference, { phone_number: to, amount, message: text });
    await shop.send(order);
    response.status(201).json({ order });
  });
  app.get("/orders/:id", (request, response) => {
    const order = shop.get(request.params.id);
    response.status(order ? 200 : 404).json(order ?? {});
  });
  app.post("/hooks/:kind", async (request, response) => {
    const callback = readCallback(request.body);
    if (callback === undefined) return void response.status(400).json({ error: "not a callback" });
    await shop.receive(callback);
    response.json({ received: true });
  });
  app.get("/customers/alice", (_, response) => void response.json({ balance: shop.shownBalance }));
  app.get("/charges", (_, response) => void response.json({ charges: shop.charges }));
  app.post("/reset", (_, response) => {
    shop.reset();
    response.status(204).end();
  });
  return serveShop(createServer(app), appMap);
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.order.id, request: { url: "{app}/orders/airtime", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { id: $.order.id, request: { url: "{app}/orders/sms", json: { to: "{phone_number}", text: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{id}" }, json_path: $.state, paid: paid, failed: failed, open: sent }
balance: { request: { url: "{app}/customers/alice" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/hooks/airtime", sms: "{app}/hooks/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
