import { setTimeout as pause } from "node:timers/promises";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes, micros } from "./units.js";

const DECILES = 10;
/** Until the code is compiled for speed. */
const WARMING = 10_000;

/** Whether the last of many transactions costs what the first ones did, in time and in memory. */
export async function measureGrowth({ command, transactions }) {
  const server = await startServer(CONTENDERS.kredo(command));
  await orderAirtime(server.url, { count: WARMING });
  await pause(3_000);
  const deciles = [];
  for (let decile = 0; decile < DECILES; decile += 1) deciles.push(await runDecile(server, transactions / DECILES));
  await server.stop();
  return rowsOf(deciles, transactions);
}

async function runDecile({ url, cpu, memory }, count) {
  const before = cpu();
  await orderAirtime(url, { count });
  await pause(1_500);
  return { micros: ((cpu() - before) * 1000) / count, memory: memory() };
}

function rowsOf(deciles, transactions) {
  const [first, last] = [deciles[0], deciles.at(-1)];
  const half = deciles[DECILES / 2 - 1];
  return [
    {
      what: `processor time of a request, first tenth of ${transactions} to the last (all: ${deciles.map(({ micros }) => micros.toFixed(0)).join(" ")})`,
      kredo: micros(last.micros),
      other: micros(first.micros),
      ratio: first.micros / last.micros,
      least: 0.95,
    },
    {
      what: "memory after all of them to that after half",
      kredo: megabytes(last.memory),
      other: megabytes(half.memory),
      ratio: last.memory / half.memory,
      most: 1.05,
    },
  ];
}
