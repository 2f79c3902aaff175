// Asks for a sandbox's health on a connection of its own, in a process of its own, so that it does not wait for whoever sends the load. Sends
// the p99 in milliseconds when it is told to stop.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";

const pool = new Pool(process.argv[2], { connections: 1 });
const latencies = [];
const over = new AbortController();
void once(process, "message").then(() => over.abort());

while (!over.signal.aborted) {
  const began = performance.now();
  const { body } = await pool.request({ path: "/livez", method: "GET" });
  await body.dump();
  latencies.push(performance.now() - began);
  await pause(20);
}
await pool.close();
process.send(latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * 0.99)]);
process.disconnect();
