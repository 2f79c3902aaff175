// The same with Hono, the gateway's framework, and with Node's listener tuned as in `kredo serve`.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { ACKNOWLEDGMENT } from "./acknowledgment.js";

const app = new Hono();
app.get("/livez", (call) => call.text("live\n"));
app.post("/api/v2/airtime", async (call) => {
  JSON.parse(await call.req.text());
  return new Response(ACKNOWLEDGMENT, { status: 200, headers: { "content-type": "application/json" } });
});

const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
  overrideGlobalObjects: true,
});
const server = createServer((request, response) => void listener(request, response));
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nReady.\n`));
