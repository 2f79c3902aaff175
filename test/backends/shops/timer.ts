import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { GatewayClient } from "./gateway-client.ts";
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

interface Order {
  readonly reference: string;
  readonly phone: string;
  readonly amount: string | undefined;
  readonly message: string | undefined;
  readonly price: number;
  state: "new" | "sent" | "done" | "refunded";
  requestId?: string;
  tries: number;
}

/** Tries before an order that is always refused fails. */
const TRIES = 3;

/** How often refused orders are sent again, in milliseconds. Nothing but the clock makes it look. */
const PAUSE = 800;

/** A timer sends definite refusals again, because they accepted nothing. A reference is sold once, and all is on disk, so a restart forgets nothing. */
export const startTimerShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let balance = OPENING_BALANCE;
  let walletBefore: number | undefined;
  let hits: number[] = [];
  let charges: { request_id: string; amount: string }[] = [];
  const orders = new Map<string, Order>();
  const callbacks = new Map<string, Callback>();
  const booked = new Set<string>();

  function refund(order: Order): void {
    order.state = "refunded";
    balance += defect === "refunds in whole tens" ? Math.floor(order.price / 1_000) * 1_000 : order.price;
  }

  function settle(order: Order, callback: Callback): void {
    const isRepeated =
      defect === "forgets with a restart which callbacks it has seen"
        ? booked.has(callback.request_id)
        : order.state !== "sent";
    if (isRepeated) return;
    booked.add(callback.request_id);
    if (!isSuccess(callback)) return refund(order);
    order.state = "done";
    const fallen = (walletBefore ?? callback.account_balance + callback.charge) - callback.account_balance;
    const amount = defect === "books the fall of the wallet's balance" ? fallen : callback.charge;
    walletBefore = callback.account_balance;
    charges.push({ request_id: callback.request_id, amount: toShillings(toCents(amount)) });
  }

  async function send(order: Order): Promise<void> {
    order.state = "sent";
    order.tries += 1;
    const outcome = await gateway.send({ phone_number: order.phone, amount: order.amount, message: order.message });
    if (outcome.kind === "accepted") {
      order.requestId = outcome.requestId;
      const callback = callbacks.get(outcome.requestId);
      if (callback !== undefined) settle(order, callback);
    } else if (outcome.kind === "refused" && outcome.code !== 422 && order.tries < TRIES) order.state = "new";
    else if (outcome.kind === "refused") refund(order);
    else if (defect === "refunds after silence, and again after a failed result") balance += order.price;
  }

  /** A sound shop finds an order by the request_id of its acknowledgment alone. */
  function findOrder({ request_id: id, result_desc: text }: Callback): Order | undefined {
    const isByNumber = defect === "refunds after silence, and again after a failed result";
    const all = [...orders.values()];
    return all.find(({ requestId }) => requestId === id) ?? all.find(({ phone }) => isByNumber && text.includes(phone));
  }

  const app = new Hono();
  app.post("/orders", async (c) => {
    const { reference = "", to = "", amount, message } = await c.req.json<Record<string, string>>();
    const isKnown = orders.has(reference);
    if (isKnown && defect !== "sells an order again that comes twice") return c.json({}, 200);
    const price = toCents(amount ?? 0);
    const order: Order = { reference, phone: to, amount, message, price, state: "new", tries: 0 };
    orders.set(isKnown ? `${reference}, again` : reference, order);
    balance -= price;
    void send(order);
    return c.json({}, 202);
  });

  app.get("/orders/:reference", (c) => {
    const order = orders.get(c.req.param("reference"));
    return order === undefined ? c.json({}, 404) : c.json(order);
  });

  app.post("/results/:kind", async (c) => {
    hits = [...hits, Date.now()].filter((at) => Date.now() - at < 60_000);
    if (defect === "limits how often callbacks may come" && hits.length > 2) return c.text("too many requests", 429);
    const callback = readCallback(readJson(await c.req.text()));
    if (callback === undefined) return c.text("unreadable", 400);
    const order = findOrder(callback);
    const isKept = isSuccess(callback) || order !== undefined || defect !== "keeps only a success that arrives early";
    if (isKept && !callbacks.has(callback.request_id)) callbacks.set(callback.request_id, callback);
    if (order !== undefined) settle(order, callback);
    if (defect === "acknowledges a callback after 3.4 s") await sleep(3_400);
    return c.text("ok");
  });

  app.get("/balance", (c) => c.json({ balance: toShillings(balance) }));
  app.get("/charges", (c) => c.json(charges));
  app.post("/restart", (c) => {
    if (defect === "forgets with a restart which callbacks it has seen") booked.clear();
    for (const order of orders.values()) {
      if (defect === "forgets with a restart which request was for which order") order.requestId = undefined;
      if (defect === "sends its unfinished orders again after a restart" && order.state === "sent") void send(order);
    }
    return c.text("started");
  });
  app.post("/reset", (c) => {
    [balance, walletBefore, charges, hits] = [OPENING_BALANCE, undefined, [], []];
    for (const kept of [orders, callbacks, booked]) kept.clear();
    return c.text("reset");
  });
  const timer = setInterval(() => {
    for (const order of orders.values()) if (order.state === "new" && order.tries > 0) void send(order);
  }, PAUSE);
  return serveShop(honoServer(app), appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/orders", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.state, paid: done, failed: refunded, open: [new, sent] }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/results/airtime", sms: "{app}/results/sms" }
restart: { request: { method: POST, url: "{app}/restart" } }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
