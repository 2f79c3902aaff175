import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const { KREDO_BASE_URL: gateway = "http://127.0.0.1:8254/api/v2", RECEIVE } = process.env;
const authorization = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;

/** Sales by the payment's CheckoutRequestID, and results by the gateway's request_id. A real shop keeps both in tables. */
const sales = new Map();
const results = new Map();

// region sell
async function sell({ CheckoutRequestID, ResultCode, CallbackMetadata }) {
  // Payment providers repeat their callbacks: one payment is one sale.
  if (ResultCode !== 0 || sales.has(CheckoutRequestID)) return;
  const item = (name) => String(CallbackMetadata.Item.find(({ Name }) => Name === name).Value);
  const sale = { status: "unknown" };
  sales.set(CheckoutRequestID, sale);
  try {
    const answer = await fetch(`${gateway}/airtime`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ phone_number: item("PhoneNumber"), amount: item("Amount") }),
      signal: AbortSignal.timeout(10_000),
    });
    const { status_code, request_id } = await answer.json();
    // The defect: the gateway has only accepted the order.
    if (status_code === 200) Object.assign(sale, { status: RECEIVE ? "sent" : "sold", request_id });
    else if (answer.status <= 500) sale.status = "refund";
  } catch {
    // No complete response: the outcome is unknown. Never send the order again; a person checks the balance.
  }
}
// endregion

// region receive
function receive({ request_id, result_code }) {
  // The first callback counts. It may come before the gateway's response to the order.
  if (!results.has(request_id)) results.set(request_id, Number(result_code) === 200 ? "sold" : "refund");
}
// endregion

async function serve(request, response) {
  const [, kind, id] = request.url.split("/");
  if (request.method === "GET") {
    const { status, request_id } = sales.get(id) ?? {};
    return response.end(JSON.stringify({ status: status === "sent" ? (results.get(request_id) ?? status) : status }));
  }
  const body = await json(request).catch(() => undefined);
  if (kind === "payments") void sell(body.Body.stkCallback);
  else if (RECEIVE && body) receive(body);
  response.end(JSON.stringify({ ResultCode: 0 }));
}

createServer((request, response) => void serve(request, response)).listen(3000, () => console.log("listening on http://localhost:3000"));
