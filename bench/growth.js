import { setTimeout as pause } from "node:timers/promises";
import { spreadOf } from "./allocation.js";
import { heapBytes, INSPECTED } from "./heap.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes } from "./units.js";

const DECILES = 10;
/** How many tenths are averaged, because single ones, and even the mean of three, vary by more than the measured difference. */
const TOGETHER = 5;
/** Requests until the code is optimized. */
const WARMING = 10_000;
/** From this number of transactions on, memory is flat. */
const FULL = 100_000;

/** Measures whether the last of many transactions costs as much time and memory as the first. */
export async function measureGrowth({ command, transactions }) {
  const tenth = transactions / DECILES;
  const full = Math.min(DECILES / 2, Math.ceil(FULL / tenth)) * tenth;
  return rowsOf({
    deciles: await measureTime(command, tenth),
    heaps: await measureHeap(command, [full, transactions - full]),
    transactions,
    full,
  });
}

/** Measures each tenth next to the same number of requests to bare Hono, because the machine's speed varies. */
async function measureTime(command, tenth) {
  const servers = [await startServer(CONTENDERS.kredo(command)), await startServer(CONTENDERS.hono())];
  for (const server of servers) await warm(server);
  const deciles = [];
  for (let decile = 1; decile <= DECILES; decile += 1) {
    const [micros, bare] = [await runDecile(servers[0], tenth), await runDecile(servers[1], tenth)];
    deciles.push({ micros, bare, ratio: micros / bare });
  }
  for (const server of servers) await server.stop();
  return deciles;
}

/** Uses its own server, because a forced garbage collection discards compiled code and slows down everything after it. */
async function measureHeap(command, portions) {
  const server = await startServer([...INSPECTED, ...CONTENDERS.kredo(command)]);
  await warm(server);
  const heaps = [];
  for (const count of portions) {
    await orderAirtime(server.url, { count });
    await pause(3_000);
    heaps.push({ heap: await heapBytes(server), memory: server.memory() });
  }
  await server.stop();
  return heaps;
}

async function warm({ url }) {
  await orderAirtime(url, { count: WARMING });
  await pause(3_000);
}

async function runDecile({ url, cpu }, count) {
  const before = cpu();
  await orderAirtime(url, { count });
  await pause(1_500);
  return ((cpu() - before) * 1000) / count;
}

function rowsOf({ deciles, heaps: [early, late], transactions, full }) {
  const [first, last] = [deciles.slice(0, TOGETHER), deciles.slice(-TOGETHER)];
  return [
    {
      what: `processor time of a request to bare Hono's, first half of ${transactions} to the last (tenths in µs: ${deciles.map(inMicros).join(" ")})`,
      kredo: `${mean(last).toFixed(2)} times`,
      other: `${mean(first).toFixed(2)} times`,
      ratio: mean(first) / mean(last),
      spread: spreadOf(deciles.map(({ ratio }) => ratio)),
      least: 0.95,
    },
    {
      what: `heap in use (and resident memory) after all of them to that after ${full}`,
      kredo: both(late),
      other: both(early),
      ratio: late.heap / early.heap,
      most: 1.05,
    },
  ];
}

function inMicros({ micros, bare }) {
  return `${micros.toFixed(0)}/${bare.toFixed(0)}`;
}

function mean(deciles) {
  return deciles.reduce((sum, { ratio }) => sum + ratio, 0) / deciles.length;
}

function both({ heap, memory }) {
  return `${megabytes(heap)} (${megabytes(memory)})`;
}
