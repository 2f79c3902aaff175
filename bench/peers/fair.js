// What a server must do at least for a top-up: bare Hono that checks the key, parses, debits, keeps the last 10,000, writes the two JSON log
// lines and settles on a timer.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

const AUTHORIZATION = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;
const KEPT = 10_000;
const SETTLE_AFTER = 400;

let available = 900_000_000_000;
let ordered = 0;
const kept = [];

const app = new Hono();
app.get("/livez", (call) => call.text("live\n"));
app.post("/api/v2/airtime", async (call) => {
  if (call.req.header("authorization") !== AUTHORIZATION) return call.json({ status_code: 401 }, 401);
  const { phone_number: phoneNumber, amount } = await call.req.json();
  const cents = Math.round(Number(amount) * 95);
  if (!/^254[17]\d{8}$/.test(phoneNumber) || !(cents > 0)) return call.json({ status_code: 422 }, 422);
  if (cents > available) return call.json({ status_code: 402 }, 402);
  available -= cents;
  const order = { requestId: randomUUID(), phoneNumber, cents, at: Date.now(), state: "queued" };
  kept[ordered % KEPT] = order;
  ordered += 1;
  log({
    event: "accepted",
    requestId: order.requestId,
    order: { operation: "airtime", phoneNumber, amount: Math.round(Number(amount) * 100) },
    hold: cents,
  });
  setTimeout(settle, SETTLE_AFTER, order);
  return call.json({ status_code: 200, description: "Operation successful.", request_id: order.requestId });
});

function settle(order) {
  order.state = "succeeded";
  log({ event: "settled", requestId: order.requestId, resultCode: 200, charge: order.cents, available });
}

function log(entry) {
  const line = { time: new Date().toISOString(), level: "info", account: "sandbox-key", ...entry };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
  overrideGlobalObjects: true,
});
const server = createServer((request, response) => void listener(request, response));
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nReady.\n`));
