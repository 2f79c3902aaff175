import express from "express";

const { KREDO_BASE_URL = "http://127.0.0.1:8254/api/v2", KREDO_CONSUMER_KEY = "sandbox-key", KREDO_CONSUMER_SECRET = "sandbox-secret" } = process.env;
const credentials = Buffer.from(`${KREDO_CONSUMER_KEY}:${KREDO_CONSUMER_SECRET}`).toString("base64");
const app = express();

/** Top-ups by their reference, and callbacks by the gateway's request_id. A real shop keeps both in tables. */
const topUps = new Map();
const callbacks = new Map();

/** Writes a number as the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001. */
const international = (typed) => String(typed).replace(/\D/g, "").replace(/^0/, "254");

// region send
app.post("/top-ups", express.json(), async (request, response) => {
  const order = { phone_number: international(request.body.phone_number), amount: String(request.body.amount) };
  const { reference } = request.body;
  // The same order again, such as a double click, gets the first answer.
  if (topUps.has(reference)) return response.json(topUps.get(reference));
  const topUp = { reference, ...order, status: "unknown" };
  topUps.set(reference, topUp);
  try {
    const answer = await fetch(`${KREDO_BASE_URL}/airtime`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Basic ${credentials}` },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(10_000),
    });
    const body = await answer.json();
    if (body.status_code === 200) Object.assign(topUp, { status: "sent", request_id: body.request_id });
    // A 502, 503 or 504 comes from a proxy: the outcome is unknown.
    else if (answer.status <= 500) topUp.status = "refused";
  } catch {
    // No complete response: the outcome is unknown. Never send the order again; a person checks the balance.
  }
  response.status(201).json(topUp);
});
// endregion

// region receive
app.post("/hooks", express.json({ type: () => true }), (request, response) => {
  const { request_id } = request.body;
  // The first callback counts. It may come before the gateway's response to the order.
  if (!callbacks.has(request_id)) callbacks.set(request_id, request.body);
  response.sendStatus(200);
});
// endregion

app.get("/top-ups/:reference", (request, response) => {
  const topUp = topUps.get(request.params.reference);
  if (topUp === undefined) return response.sendStatus(404);
  const callback = topUp.status === "sent" ? callbacks.get(topUp.request_id) : undefined;
  if (callback === undefined) return response.json(topUp);
  response.json({ ...topUp, ...(Number(callback.result_code) === 200 ? { status: "paid", charge: callback.charge } : { status: "failed" }) });
});

app.listen(3000, () => console.log("listening on http://localhost:3000"));
