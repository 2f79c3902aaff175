import { randomUUID } from "node:crypto";
import { type Callback, honoServer, openApp, type Order, serveShop, Shop, type StartShop, toCents } from "./shop.ts";

/** Like Laravel: forms, and a job after the response. It sells nothing unless the gateway says that the wallet has enough. */
class LaravelShop extends Shop {
  override async send(order: Order): Promise<void> {
    const available = await this.gateway.balance();
    if (available === undefined && this.defect === "keeps the money when it cannot read its balance")
      return void (order.state = "failed");
    if (available === undefined || toCents(available) < order.price) this.fail(order);
    else await super.send(order);
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    const isText = callback.result_code === "200";
    if (this.defect === "compares result_code with the text 200" && !isText && order.state === "sent") this.fail(order);
    else await super.settle(order, callback);
  }

  override book(callback: Callback, cents: number): void {
    const { price = 0 } = this.find(callback) ?? {};
    const booked = this.defect === "books the list price" ? price : cents;
    super.book(callback, this.defect === "books whole shillings" ? Math.round(booked / 100) * 100 : booked);
  }
}

export const startLaravelShop: StartShop = (options) => {
  const shop = new LaravelShop(options);
  const app = openApp(shop, {
    callback: "/api/v1/webhooks/statum",
    balance: ["/api/v1/wallet", (balance) => ({ data: { balance } })],
    charges: ["/api/v1/charges", (charges) => ({ data: charges })],
    reset: ["POST", "/migrate-fresh"],
  });
  app.post("/api/v1/topups", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const phone_number = (form.get("phone") ?? "").replace(/^0/, "254");
    const [amount, message] = [form.get("amount") ?? undefined, form.get("text") ?? undefined];
    const order = shop.take(randomUUID(), { phone_number, amount, message });
    void shop.send(order);
    return c.json({ data: { uuid: order.id } }, 201);
  });
  app.get("/api/v1/topups/:uuid", (c) => {
    const order = shop.get(c.req.param("uuid"));
    return order === undefined ? c.json({ message: "Not found." }, 404) : c.json({ data: order });
  });
  return serveShop(honoServer(app), appMap);
};

const FORM = "headers: { content-type: application/x-www-form-urlencoded }";

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.data.uuid, request: { url: "{app}/api/v1/topups", ${FORM}, body: "phone={local_number}&amount={amount}" } }
  sms: { id: $.data.uuid, request: { url: "{app}/api/v1/topups", ${FORM}, body: "phone={local_number}&text={message}" } }
status: { request: { url: "{app}/api/v1/topups/{id}" }, json_path: $.data.state, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/api/v1/wallet" }, json_path: $.data.balance }
books: { request: { url: "{app}/api/v1/charges" }, list: "$.data[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/api/v1/webhooks/statum", sms: "{app}/api/v1/webhooks/statum" }
reset: { request: { method: POST, url: "{app}/migrate-fresh" } }
settle: 500ms
`;
