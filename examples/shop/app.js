// A small airtime shop that loses no money. With BREAK=1 it has one defect: it sends an order again when it gets no response.
import { randomUUID } from "node:crypto";
import express from "express";

const { PORT = "3000", BREAK } = process.env;
const gateway = process.env.KREDO_BASE_URL ?? "http://127.0.0.1:8254/api/v2";
const { KREDO_CONSUMER_KEY: key = "sandbox-key", KREDO_CONSUMER_SECRET: secret = "sandbox-secret" } = process.env;

const customer = { balance: 1_000_000 };
const orders = new Map();
const callbacks = new Map();

const app = express();
app.use(express.json({ type: () => true }));

/** Writes a number as the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001. */
const international = (typed) => String(typed).replace(/\D/g, "").replace(/^0/, "254");

// region order
app.post("/orders", async (request, response) => {
  const { phone_number, amount } = request.body;
  const order = { id: randomUUID(), amount: Number(amount), status: "open" };
  orders.set(order.id, order);
  customer.balance -= order.amount;
  const body = { phone_number: international(phone_number), amount: String(amount) };
  const answer = (await send(body)) ?? (BREAK ? await send(body) : undefined);
  // Without a complete response, nobody knows whether the gateway accepted the order: keep it open, and never send it again.
  if (answer?.status_code === 200) order.request_id = answer.request_id;
  else if (answer !== undefined) fail(order);
  settle(order);
  response.status(201).json(order);
});
// endregion

app.get("/orders/:id", (request, response) => {
  const order = orders.get(request.params.id);
  response.status(order ? 200 : 404).json(order ?? {});
});

app.post("/callbacks/airtime", (request, response) => {
  const { request_id, result_code } = request.body;
  // Only the first callback counts. It may arrive before the acknowledgment, and its result_code may be text.
  if (!callbacks.has(request_id)) callbacks.set(request_id, Number(result_code));
  for (const order of orders.values()) settle(order);
  response.json({ received: true });
});

app.get("/customer", (request, response) => void response.json(customer));

/** The gateway's response, or undefined if there was none or it came from a proxy. */
async function send(body) {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
  const options = { method: "POST", headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const response = await fetch(`${gateway}/airtime`, { ...options, signal: AbortSignal.timeout(2_000) });
    const answer = await response.json();
    return response.status > 500 ? undefined : answer;
  } catch {
    return undefined;
  }
}

function settle(order) {
  if (order.status !== "open" || !callbacks.has(order.request_id)) return;
  if (callbacks.get(order.request_id) === 200) order.status = "paid";
  else fail(order);
}

function fail(order) {
  order.status = "failed";
  customer.balance += order.amount;
}

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`Shop http://127.0.0.1:${server.address().port}`);
});
