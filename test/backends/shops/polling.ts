import { Hono } from "hono";
import * as z from "zod";
import { GatewayClient, type GatewayOrder } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  OPENING_BALANCE,
  readCallback,
  serveShop,
  type StartShop,
  toCents,
  toShillings,
} from "./shop.ts";
import { readJson } from "../../../src/control/client/control-client.ts";

interface Sale {
  readonly price: number;
  status: "waiting" | "done" | "refused";
  requestId?: string;
}

/** What the relay keeps, numbered. */
const messages = z.array(z.object({ seq: z.number(), body: z.string() }));

/** How often the shop polls its relay, in milliseconds; the tick makes it poll now. */
const PAUSE = 100;

/** A shop without a public address: a relay takes the callbacks and keeps them, and the shop polls the relay. */
export const startPollingShop: StartShop = async ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let balance = OPENING_BALANCE;
  const sales = new Map<string, Sale>();

  let kept: z.output<typeof messages> = [];
  let seq = 0;
  const relay = new Hono();
  relay.post("/hooks", async (c) => {
    const body = await c.req.text();
    kept.push({ seq: (seq += 1), body });
    return c.text("kept");
  });
  relay.get("/messages", (c) => c.json(kept.filter(({ seq }) => seq > Number(c.req.query("after")))));
  const relayShop = await serveShop(honoServer(relay), (url) => url);

  let after = 0;
  let unmatched: Callback[] = [];
  async function poll(): Promise<void> {
    if (defect === "never reads its callbacks") return;
    const response = await fetch(`${relayShop.url}/messages?after=${after}`);
    for (const { seq, body } of messages.parse(await response.json())) {
      if (seq <= after) continue;
      after = seq;
      const callback = readCallback(readJson(body));
      if (callback !== undefined) unmatched.push(callback);
    }
    unmatched = unmatched.filter((callback) => !settle(callback));
  }

  /** Whether the callback's sale is known. */
  function settle(callback: Callback): boolean {
    const sale = [...sales.values()].find(({ requestId }) => requestId === callback.request_id);
    if (sale?.status === "waiting" && isSuccess(callback)) sale.status = "done";
    else if (sale?.status === "waiting") refuse(sale);
    return sale !== undefined;
  }

  function refuse(sale: Sale): void {
    sale.status = "refused";
    balance += sale.price;
  }

  async function sell(sale: Sale, order: GatewayOrder): Promise<void> {
    const before = defect === "decides by the wallet's balance" ? ((await gateway.balance()) ?? 0) : 0;
    const outcome = await gateway.send(order);
    if (outcome.kind === "refused") refuse(sale);
    if (outcome.kind === "unknown" && defect === "takes silence for success") sale.status = "done";
    if (outcome.kind === "accepted") sale.requestId = outcome.requestId;
    if (((await (before > 0 ? gateway.balance() : undefined)) ?? 0) < before) sale.status = "done";
  }

  const app = new Hono();
  app.post("/sell", async (c) => {
    const { ref = "", phone_number = "", amount, message } = await c.req.json<Record<string, string>>();
    const sale: Sale = { price: toCents(amount ?? 0), status: "waiting" };
    sales.set(ref, sale);
    balance -= sale.price;
    await sell(sale, { phone_number, amount, message });
    return c.json({ ref, status: sale.status });
  });
  app.get("/sales/:ref", (c) => {
    const sale = sales.get(c.req.param("ref"));
    return sale === undefined ? c.json({}, 404) : c.json({ status: sale.status });
  });
  app.get("/purse", (c) => c.json({ purse: toShillings(balance) }));
  app.post("/poll", async (c) => {
    await poll();
    return c.text("polled");
  });
  app.post("/reset", (c) => {
    balance = OPENING_BALANCE;
    [kept, unmatched] = [[], []];
    sales.clear();
    return c.text("reset");
  });
  const timer = setInterval(() => void poll().catch(() => {}), PAUSE);
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
status: { request: { url: "{app}/sales/{reference}" }, json_path: $.status, paid: done, failed: refused, open: waiting }
balance: { request: { url: "{app}/purse" }, json_path: $.purse }
callbacks: { airtime: "${relay}/hooks", sms: "${relay}/hooks" }
reset: { request: { method: POST, url: "{app}/reset" } }
tick: { request: { method: POST, url: "{app}/poll" } }
settle: 500ms
`;
