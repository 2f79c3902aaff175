import express from "express";

const { KREDO_BASE_URL = "http://127.0.0.1:8254/api/v2", KREDO_CONSUMER_KEY = "sandbox-key", KREDO_CONSUMER_SECRET = "sandbox-secret" } = process.env;
const credentials = Buffer.from(`${KREDO_CONSUMER_KEY}:${KREDO_CONSUMER_SECRET}`).toString("base64");
const app = express();

/** Top-ups by the gateway's request_id. A real shop keeps them in a table. */
const topUps = new Map();

// region send
app.post("/top-ups", express.json(), async (request, response) => {
  const { phone_number, amount } = request.body;
  const topUp = { phone_number, amount, status: "sent" };
  try {
    const answer = await fetch(`${KREDO_BASE_URL}/airtime`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Basic ${credentials}` },
      body: JSON.stringify({ phone_number, amount }),
      signal: AbortSignal.timeout(30_000),
    });
    const body = await answer.json();
    // A refusal may have its validation_errors alone.
    if (answer.status !== 200) return response.status(422).json({ ...topUp, status: "refused", refusal: body });
    topUps.set(body.request_id, topUp);
    response.status(201).json(topUp);
  } catch {
    // No response: the outcome is unknown. Never send the order again; check the balance later.
    response.status(202).json({ ...topUp, status: "unknown" });
  }
});
// endregion

// region receive
app.post("/hooks", express.json(), (request, response) => {
  const { request_id, result_code, charge } = request.body;
  const topUp = topUps.get(request_id);
  // A repeated callback changes nothing.
  if (topUp?.status === "sent") Object.assign(topUp, Number(result_code) === 200 ? { status: "paid", charge } : { status: "failed" });
  response.sendStatus(200);
});
// endregion

app.get("/top-ups", (_, response) => response.json([...topUps.values()]));

app.listen(3000, () => console.log("listening on http://localhost:3000"));
