import { fork } from "node:child_process";
import { once } from "node:events";
import { control } from "./control.js";
import { orderAirtime, orderedShillings, orderFirst } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes } from "./units.js";

const HEAP = 320;
const ORDERS = 1_000_000;
/** The balance with which the bench starts every sandbox. */
const OPENING = 9_000_000_000;

/** Measures a small heap under orders with a callback each, as fast as 64 connections can: it must end, exactly, with memory flat. */
export async function measureFullSpeed({ command }) {
  const words = [`--max-old-space-size=${HEAP}`, ...CONTENDERS.kredo(command, ["--callback-url", "kredo:sink"])];
  const server = await startServer(words);
  const ordered = orderedShillings();
  await orderFirst(server.url);
  const probe = fork(new URL("health.js", import.meta.url), [server.url]);
  const memory = [];
  for (let half = 0; half < 2; half += 1) {
    await orderAirtime(server.url, { count: ORDERS / 2 });
    memory.push(server.memory());
  }
  probe.send("stop");
  const [health] = await once(probe, "message");
  await control(server.url, { method: "POST", path: "/drain", body: { within: "120s" } });
  const { ledger } = JSON.parse(await control(server.url, { method: "GET", path: "/wallet" }));
  await server.stop();
  const [early, late] = memory;
  // The default discount is 5 %.
  const price = (orderedShillings() - ordered) * 0.95;
  const paid = OPENING - ledger;
  return [
    {
      what: `resident memory after ${ORDERS} orders with a callback each, heap of ${HEAP} MiB, to that after half of them`,
      kredo: megabytes(late),
      other: megabytes(early),
      ratio: late / early,
      most: 1.05,
    },
    {
      what: "p99 of GET /livez meanwhile, to 100 ms",
      kredo: `${health.toFixed(1)} ms`,
      other: "100 ms",
      ratio: health / 100,
      most: 1,
    },
    {
      what: "what the wallet paid, to the price of what was ordered",
      kredo: `KES ${paid.toFixed(2)}`,
      other: `KES ${price.toFixed(2)}`,
      ratio: paid.toFixed(2) === price.toFixed(2) ? 1 : paid / price,
      least: 1,
      most: 1,
    },
  ];
}
