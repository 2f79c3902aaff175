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
  readonly msisdn: string;
  readonly price: number;
  status: "NEW" | "SENT" | "DONE" | "CANCELLED";
  request_id?: string;
}

/** One line of the customer's ledger, in cents. */
interface LedgerEntry {
  readonly order: Order;
  readonly cents: number;
}

/** Like Django: models, views with a slash at their end, a ledger in place of a balance; orders are found by their phone number. */
export const startDjangoShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let orders: Order[] = [];
  let ledger: LedgerEntry[] = [];
  let inbox: Callback[] = [];

  function cancel(order: Order): void {
    order.status = "CANCELLED";
    ledger.push({ order, cents: order.price });
  }

  function apply(order: Order, callback: Callback): void {
    const isOpen = order.status === "SENT" || isOverruled(order, callback);
    if (isSuccess(callback) && isOpen) {
      if (order.status === "CANCELLED") ledger.push({ order, cents: -order.price });
      order.status = "DONE";
    }
    if (isSuccess(callback)) return;
    if (isOpen || isRefundedAgain(order)) cancel(order);
    else if (isRefundedLate(order)) ledger.push({ order, cents: order.price });
  }

  function isOverruled({ status }: Order, callback: Callback): boolean {
    return defect === "lets the last callback win" && status !== (isSuccess(callback) ? "DONE" : "CANCELLED");
  }

  function isRefundedAgain({ status }: Order): boolean {
    return status === "CANCELLED" && defect === "refunds for each callback";
  }

  function isRefundedLate({ status }: Order): boolean {
    return status === "DONE" && defect === "refunds a delivered order that a later callback calls failed";
  }

  function refuse(order: Order, code: number): void {
    if (code === 422 && defect === "leaves an order open after a 422") return;
    if (code === 402 && defect === "takes a 402 for a sale") return void (order.status = "DONE");
    if (code === 401 && defect === "forgets the order after a 401")
      return void (orders = orders.filter((other) => other !== order));
    if (code === 401 && defect === "fails every open order after a 401")
      orders.filter(({ status }) => status === "SENT").forEach(cancel);
    cancel(order);
  }

  const app = new Hono();
  app.post("/orders/", async (c) => {
    const { msisdn, amount, sms } = await c.req.json<{ msisdn: string; amount?: string; sms?: string }>();
    const order: Order = { msisdn, price: toCents(amount ?? 0), status: "NEW" };
    orders.push(order);
    ledger.push({ order, cents: -order.price });
    const outcome = await gateway.send({ phone_number: msisdn.replace("+", ""), amount, message: sms });
    if (outcome.kind === "refused") refuse(order, outcome.code);
    else order.status = "SENT";
    if (outcome.kind === "accepted") {
      order.request_id = outcome.requestId;
      const early = inbox.find(({ request_id }) => request_id === outcome.requestId);
      if (early !== undefined) apply(order, early);
    }
    return c.json({ detail: "queued" }, outcome.kind === "refused" ? 402 : 201);
  });

  app.get("/orders/", (c) => {
    const found = orders.filter(({ msisdn }) => msisdn === `+${c.req.query("msisdn")}`);
    if (found.length === 0) return c.json({ detail: "Not found." }, 404);
    return c.json({ results: found.map(({ msisdn, status }) => ({ msisdn, status })) });
  });

  app.post("/callback/", async (c) => {
    const callback = readCallback(readJson(await c.req.text()));
    if (callback === undefined) return c.json({ detail: "Malformed request." }, 400);
    inbox.push(callback);
    const order = orders.find(({ request_id }) => request_id === callback.request_id);
    if (order !== undefined) apply(order, callback);
    return c.json({ detail: "ok" });
  });

  app.get("/balance/", (c) =>
    c.json({ balance: toShillings(ledger.reduce((sum, { cents }) => sum + cents, OPENING_BALANCE)) }),
  );
  app.post("/flush/", (c) => {
    orders = [];
    ledger = [];
    inbox = [];
    return c.body(null, 204);
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
