import type { Outcome } from "./gateway-client.ts";
import { type Callback, honoServer, isSuccess, openApp, type Order, serveShop, Shop, type StartShop } from "./shop.ts";

/** Like Django: views with a slash at their end, and words of its own for a state; orders are found by their phone number. */
class DjangoShop extends Shop {
  readonly refused = new Set<Order>();

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "refused") this.#refuse(order, outcome.code);
    else await super.answered(order, outcome);
  }

  #refuse(order: Order, code: number): void {
    this.refused.add(order);
    if (this.defect === `leaves an order open after a ${code}`) return;
    if (code === 402 && this.defect === "takes a 402 for a sale") return void (order.state = "paid");
    if (code === 401 && this.defect === "forgets the order after a 401")
      return void (this.orders = this.orders.filter((other) => other !== order));
    if (code === 401 && this.defect === "fails every open order after a 401")
      this.orders
        .filter(({ state, requestId }) => state === "sent" && requestId !== undefined)
        .forEach((other) => this.fail(other));
    this.fail(order);
  }

  override async settle(order: Order, callback: Callback): Promise<void> {
    const [isPaid, isFailed] = [order.state === "paid", order.state === "failed"];
    if (this.defect === "lets the last callback win" && (isSuccess(callback) ? isFailed : isPaid)) {
      this.balance -= isFailed ? order.price : 0;
      order.state = "sent";
    }
    const isRefundedAgain = isFailed && this.defect === "refunds for each callback";
    const isRefundedLate = isPaid && this.defect === "refunds a delivered order that a later callback calls failed";
    if (!isSuccess(callback) && (isRefundedAgain || isRefundedLate)) this.balance += order.price;
    await super.settle(order, callback);
  }
}

const WORDS = { new: "NEW", sent: "SENT", paid: "DONE", failed: "CANCELLED" };

export const startDjangoShop: StartShop = (options) => {
  const shop = new DjangoShop(options);
  const app = openApp(shop, {
    callback: "/callback/",
    balance: ["/balance/", (balance) => ({ balance })],
    reset: ["POST", "/flush/"],
  });
  app.post("/orders/", async (c) => {
    const { msisdn, amount, sms } = await c.req.json<{ msisdn: string; amount?: string; sms?: string }>();
    const order = shop.take(msisdn, { phone_number: msisdn.replace("+", ""), amount, message: sms });
    await shop.send(order);
    return c.json({ detail: "queued" }, shop.refused.has(order) ? 402 : 201);
  });
  app.get("/orders/", (c) => {
    const found = shop.orders.filter(({ id }) => id === `+${c.req.query("msisdn")}`);
    if (found.length === 0) return c.json({ detail: "Not found." }, 404);
    return c.json({ results: found.map(({ id, state }) => ({ msisdn: id, status: WORDS[state] })) });
  });
  return serveShop(honoServer(app), appMap);
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/orders/", json: { msisdn: "{plus_number}", amount: "{amount}" } } }
  sms: { request: { url: "{app}/orders/", json: { msisdn: "{plus_number}", sms: "{message}" } } }
status:
  request: { url: "{app}/orders/?msisdn={phone_number}" }
  json_path: $.results[0].status
  paid: DONE
  failed: CANCELLED
  open: [NEW, SENT]
balance: { request: { url: "{app}/balance/" }, json_path: $.balance }
callbacks: { airtime: "{app}/callback/", sms: "{app}/callback/" }
reset: { request: { method: POST, url: "{app}/flush/" } }
settle: 500ms
`;
