import { setTimeout as pause } from "node:timers/promises";
import { heapBytes, INSPECTED } from "./heap.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes, micros } from "./units.js";

const DECILES = 10;
/** Tenths that are taken together: one alone differs from the next by more than what is looked for. */
const TOGETHER = 3;
/** Until the code is compiled for speed. */
const WARMING = 10_000;
/** From then on memory is flat (DESIGN.md section 7). */
const FULL = 100_000;

/** Whether the last of many transactions costs what the first ones did, in time and in memory. */
export async function measureGrowth({ command, transactions }) {
  const server = await startServer([...INSPECTED, ...CONTENDERS.kredo(command)]);
  await orderAirtime(server.url, { count: WARMING });
  await pause(3_000);
  const deciles = [];
  const full = Math.min(DECILES / 2, Math.ceil(FULL / (transactions / DECILES)));
  const heaps = [];
  for (let decile = 1; decile <= DECILES; decile += 1) {
    deciles.push(await runDecile(server, transactions / DECILES));
    // A collection that is asked for also throws compiled code away: not before each decile.
    if (decile === full || decile === DECILES) heaps.push({ heap: await heapBytes(server), memory: server.memory() });
  }
  await server.stop();
  return rowsOf({ deciles, heaps, transactions, full: full * (transactions / DECILES) });
}

async function runDecile({ url, cpu }, count) {
  const before = cpu();
  await orderAirtime(url, { count });
  await pause(1_500);
  return ((cpu() - before) * 1000) / count;
}

function rowsOf({ deciles, heaps: [early, late], transactions, full }) {
  const first = Math.min(...deciles.slice(0, TOGETHER));
  const last = Math.min(...deciles.slice(-TOGETHER));
  return [
    {
      what: `processor time of a request, least of the first ${TOGETHER} tenths of ${transactions} to that of the last (all: ${deciles.map((of) => of.toFixed(0)).join(" ")})`,
      kredo: micros(last),
      other: micros(first),
      ratio: first / last,
      least: 0.95,
    },
    {
      what: `heap in use (and resident memory) after all of them to that after ${full}`,
      kredo: both(late),
      other: both(early),
      ratio: late.heap / early.heap,
      most: 1.1,
    },
  ];
}

function both({ heap, memory }) {
  return `${megabytes(heap)} (${megabytes(memory)})`;
}
