// The smallest shop: sells one top-up, receives its callback and exits, with code 1 if that failed.
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const {
  KREDO_BASE_URL = "http://127.0.0.1:8254/api/v2",
  KREDO_CONSUMER_KEY = "sandbox-key",
  KREDO_CONSUMER_SECRET = "sandbox-secret",
} = process.env;

const server = createServer();
const callback = takeCallback();
await once(server.listen(3000), "listening");
const { request_id } = await sellAirtime("254712345678", "100");
const limit = setTimeout(() => fail("No callback within 30 seconds."), 30_000);
const result = await callback;
clearTimeout(limit);
if (result.request_id !== request_id || result.result_code !== 200) fail(`Not delivered: ${JSON.stringify(result)}`);
console.log(`Delivered: ${request_id}, charged ${result.charge}.`);
server.close();
server.closeAllConnections();

async function takeCallback() {
  const [request, response] = await once(server, "request");
  const result = await json(request);
  response.end();
  await once(response, "close");
  return result;
}

async function sellAirtime(phone_number, amount) {
  const credentials = Buffer.from(`${KREDO_CONSUMER_KEY}:${KREDO_CONSUMER_SECRET}`).toString("base64");
  const response = await fetch(`${KREDO_BASE_URL}/airtime`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${credentials}` },
    body: JSON.stringify({ phone_number, amount }),
  });
  const acknowledgment = await response.json();
  if (acknowledgment.status_code !== 200) fail(`Refused: ${JSON.stringify(acknowledgment)}`);
  return acknowledgment;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
