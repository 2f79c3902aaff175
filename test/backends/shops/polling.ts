import { Hono } from "hono";
import * as z from "zod";
import { parseJsonOrUndefined } from "../../../src/control/client/control-client.ts";
import type { Outcome } from "./gateway-client.ts";
import { honoServer, openApp, type Order, readCallback, serveShop, Shop, type StartShop } from "./shop.ts";

/** How often the shop polls its relay, in milliseconds; the tick makes it poll now. */
const PAUSE = 100;

/** What the relay keeps, numbered. */
const messages = z.array(z.object({ seq: z.number(), body: z.string() }));

/** A shop without a public address: a relay takes the callbacks and keeps them, and the shop polls the relay. */
class PollingShop extends Shop {
  #after = 0;

  async poll(relay: string): Promise<void> {
    if (this.defect === "never reads its callbacks") return;
    const response = await fetch(`${relay}/messages?after=${this.#after}`);
    for (const { seq, body } of messages.parse(await response.json())) {
      if (seq <= this.#after) continue;
      this.#after = seq;
      const callback = readCallback(parseJsonOrUndefined(body));
      if (callback !== undefined) await this.receive(callback);
    }
  }

  override async send(order: Order): Promise<void> {
    const before = this.defect === "decides by the wallet's balance" ? ((await this.gateway.balance()) ?? 0) : 0;
    await super.send(order);
    if (((await (before > 0 ? this.gateway.balance() : undefined)) ?? 0) < before) order.state = "paid";
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "unknown" && this.defect === "takes silence for success") order.state = "paid";
    await super.answered(order, outcome);
  }
}

export const startPollingShop: StartShop = async (options) => {
  const shop = new PollingShop(options);
  const kept: z.output<typeof messages> = [];
  const relay = new Hono();
  relay.post("/hooks", async (c) => {
    const body = await c.req.text();
    kept.push({ seq: kept.length + 1, body });
    return c.text("kept");
  });
  relay.get("/messages", (c) => c.json(kept.filter(({ seq }) => seq > Number(c.req.query("after")))));
  const relayShop = await serveShop(honoServer(relay), (url) => url);

  const app = openApp(shop, {
    balance: ["/purse", (purse) => ({ purse })],
    reset: ["POST", "/reset"],
  });
  app.post("/sell", async (c) => {
    const { ref = "", phone_number = "", amount, message } = await c.req.json<Record<string, string>>();
    const order = shop.take(ref, { phone_number, amount, message });
    await shop.send(order);
    return c.json({ ref, status: order.state });
  });
  app.get("/sales/:ref", (c) => {
    const order = shop.get(c.req.param("ref"));
    return order === undefined ? c.json({}, 404) : c.json({ status: order.state });
  });
  app.post("/poll", async (c) => {
    await shop.poll(relayShop.url);
    return c.text("polled");
  });
  const timer = setInterval(() => void shop.poll(relayShop.url).catch(() => {}), PAUSE);
  const stop = (): void => {
    clearInterval(timer);
    void relayShop[Symbol.asyncDispose]();
  };
  return serveShop(honoServer(app), (url) => appMap(url, relayShop.url), stop);
};

const appMap = (url: string, relay: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/sell", json: { phone_number: "{phone_number}", amount: "{amount}", ref: "{reference}" } } }
  sms: { request: { url: "{app}/sell", json: { phone_number: "{phone_number}", message: "{message}", ref: "{reference}" } } }
status: { request: { url: "{app}/sales/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: sent }
balance: { request: { url: "{app}/purse" }, json_path: $.purse }
callbacks: { airtime: "${relay}/hooks", sms: "${relay}/hooks" }
reset: { request: { method: POST, url: "{app}/reset" } }
tick: { request: { method: POST, url: "{app}/poll" } }
settle: 500ms
`;
