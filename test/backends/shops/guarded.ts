import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { parseJsonOrUndefined } from "../../../src/control/client/control-client.ts";
import { type Callback, honoServer, openApp, type Order, serveShop, Shop, type StartShop } from "./shop.ts";
import type { GatewayOrder } from "./gateway-client.ts";

/** Of its callback URL. */
const TOKEN = "f4b1d7c29e6a";

/** Asks each callback for the token in its URL. */
class GuardedShop extends Shop {
  readonly #seenAt = new Map<string, number>();

  override take(id: string, { phone_number, amount, message }: GatewayOrder): Order {
    const isRepetition = this.defect === "takes a second order for a number for a repetition";
    const earlier = this.orders.find((order) => isRepetition && order.phone_number === phone_number);
    if (earlier !== undefined) return earlier;
    const isPlain = this.defect === "puts one blank for each line break and for two blanks";
    return super.take(id, { phone_number, amount, message: isPlain ? message?.replaceAll(/\s+/g, " ") : message });
  }

  isTrusted(token = ""): boolean {
    const [given, own] = [Buffer.from(token), Buffer.from(TOKEN)];
    if (this.defect === "believes callbacks without its token") return true;
    return given.length === own.length && timingSafeEqual(given, own);
  }

  isReadable(body: unknown): boolean {
    const isStrict = this.defect === "refuses callbacks with a field that it does not know";
    return !isStrict || Object.keys(Object(body)).length <= 5;
  }

  override async receive(callback: Callback): Promise<void> {
    const order = this.find(callback);
    const seenAt = this.#seenAt.get(callback.request_id) ?? Date.now();
    this.#seenAt.set(callback.request_id, Date.now());
    const isForgotten = this.defect === "forgets after two seconds which callback it has seen";
    if (isForgotten && order?.state === "paid" && Date.now() - seenAt > 2_000) this.balance -= order.price;
    await super.receive(callback);
  }

  override reset(): void {
    super.reset();
    this.#seenAt.clear();
  }
}

export const startGuardedShop: StartShop = (options) => {
  const shop = new GuardedShop(options);
  const app = new Hono();
  app.use("/hooks", async (c, next) => {
    if (!shop.isTrusted(c.req.query("token"))) return c.json({}, 403);
    return shop.isReadable(parseJsonOrUndefined(await c.req.text())) ? next() : c.json({}, 400);
  });
  openApp(
    shop,
    { callback: "/hooks", balance: ["/balance", (balance) => ({ balance })], reset: ["POST", "/reset"] },
    app,
  );
  app.post("/orders", async (c) => {
    const { to = "", amount, text, reference = "" } = await c.req.json<Record<string, string>>();
    const order = shop.take(reference, { phone_number: to, amount, message: text });
    if (order.state === "new") await shop.send(order);
    return c.json({ id: order.id }, 201);
  });
  app.get("/orders/:id", (c) => {
    const order = shop.get(c.req.param("id"));
    return order === undefined ? c.json({}, 404) : c.json({ status: order.state });
  });
  return serveShop(honoServer(app), appMap);
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.id, request: { url: "{app}/orders", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { id: $.id, request: { url: "{app}/orders", json: { to: "{phone_number}", text: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: paid, failed: failed, open: sent }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
callbacks: { airtime: "{app}/hooks?token=${TOKEN}", sms: "{app}/hooks?token=${TOKEN}" }
reset: { request: { method: POST, url: "{app}/reset" } }
settle: 500ms
`;
