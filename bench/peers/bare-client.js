// Posts the given number of bodies as long as a callback's, 64 at a time. Prints the rate per second and the processor time of each.
import { Pool } from "undici";

const [url, count] = process.argv.slice(2);
const LANES = 64;
const BODY = JSON.stringify({
  status_code: 200,
  result_code: 200,
  result_desc: "The service request is processed successfully.",
  phone_number: "254712345678",
  amount: "10",
  charge: 9.5,
  available_balance: 8999999990.5,
  request_id: "7f0c1d5e-3a52-4c1b-9d57-0c2a6b1e9f44",
});

const pool = new Pool(url, { connections: LANES, pipelining: 1 });
let left = Number(count);
const before = process.cpuUsage();
const began = performance.now();
await Promise.all(Array.from({ length: LANES }, lane));
const { user, system } = process.cpuUsage(before);
const perSecond = (Number(count) / (performance.now() - began)) * 1000;
await pool.close();
process.stdout.write(`${JSON.stringify({ perSecond, micros: (user + system) / Number(count) })}\n`);

async function lane() {
  while (left > 0) {
    left -= 1;
    const { body } = await pool.request({
      path: "/hook",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: BODY,
    });
    await body.dump();
  }
}
