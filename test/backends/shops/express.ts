import { createServer } from "node:http";
import express from "express";
import { GatewayClient } from "./gateway-client.ts";
import {
  type Callback,
  isSuccess,
  type Kind,
  OPENING_BALANCE,
  readCallback,
  serveShop,
  type StartShop,
  toCents,
  toShillings,
} from "./shop.ts";

interface Order {
  readonly id: string;
  readonly price: number;
  status: "processing" | "paid" | "failed";
}

/** Express: calls the gateway within the request; the customer pays when ordering, and gets the money back when the order fails. */
export const startExpressShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let balance = OPENING_BALANCE;
  let charges: { request_id: string; amount: string }[] = [];
  const orders = new Map<string, Order>();
  const byRequest = new Map<string, Order>();
  const early = new Map<string, Callback>();

  function fail(order: Order): void {
    order.status = "failed";
    if (defect !== "never refunds") balance += order.price;
  }

  function settle(order: Order, callback: Callback): void {
    if (order.status !== "processing") return;
    if (!isSuccess(callback)) return fail(order);
    order.status = "paid";
    charges.push({ request_id: callback.request_id, amount: toShillings(toCents(callback.charge)) });
  }

  const app = express();
  app.use(express.json({ type: () => true }));

  app.post("/orders/:kind", async (request, response) => {
    const { to, amount, text, reference } = request.body;
    const order: Order = { id: reference, price: toCents(amount ?? 0), status: "processing" };
    orders.set(order.id, order);
    balance -= order.price;
    const outcome = await gateway.send({ phone_number: to, amount, message: text });
    if (outcome.kind === "refused") fail(order);
    if (outcome.kind === "unknown" && defect === "takes silence for failure") fail(order);
    if (outcome.kind === "accepted") {
      byRequest.set(outcome.requestId, order);
      const callback = early.get(outcome.requestId);
      if (callback !== undefined) settle(order, callback);
    }
    response.status(201).json({ order });
  });

  app.get("/orders/:id", (request, response) => {
    const order = orders.get(request.params.id);
    response.status(order ? 200 : 404).json(order ?? {});
  });

  app.post("/hooks/:kind", (request, response) => {
    const callback = readCallback(request.body);
    if (callback === undefined) return void response.status(400).json({ error: "not a callback" });
    const order = byRequest.get(callback.request_id);
    if (order !== undefined) settle(order, callback);
    else if (defect !== "drops early callbacks")
      early.set(callback.request_id, early.get(callback.request_id) ?? callback);
    response.json({ received: true });
  });

  app.get("/customers/alice", (_, response) => void response.json({ balance: toShillings(balance) }));
  app.get("/charges", (_, response) => void response.json({ charges }));
  app.post("/reset", (_, response) => {
    balance = OPENING_BALANCE;
    charges = [];
    for (const map of [orders, byRequest, early]) map.clear();
    response.status(204).end();
  });
  return serveShop(createServer(app), appMap);
};

const order = (kind: Kind): string =>
  `{ id: $.order.id, request: { url: "{app}/orders/${kind}", json: { to: "{phone_number}", ${kind === "airtime" ? 'amount: "{amount}"' : 'text: "{message}"'}, reference: "{reference}" } } }`;

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: ${order("airtime")}
  sms: ${order("sms")}
status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: paid, failed: failed, open: processing }
balance: { request: { url: "{app}/customers/alice" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/hooks/airtime", sms: "{app}/hooks/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
`;
