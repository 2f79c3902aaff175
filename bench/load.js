import { setTimeout as pause } from "node:timers/promises";
import { orderAirtime, orderFirst } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { spreadOf } from "./allocation.js";
import { median, megabytes, micros } from "./units.js";

/** By then, nine in ten results of the carrier have arrived. Their cost belongs to their requests. */
const AFTERMATH = 1_500;

/** Measures the full gateway with 64 connections against bare servers, with the memory of each before and after. */
export async function measureLoad({ quick, command }) {
  const servers = {};
  for (const [name, words] of Object.entries(CONTENDERS)) servers[name] = await begin(words(command));
  // The first round is a warm-up, long enough for the code to be optimized.
  for (let round = 0; round < (quick ? 3 : 8); round += 1)
    for (const server of Object.values(servers))
      server.rounds.push(await runRound(server, round === 0 || !quick ? 15_000 : 5_000));
  const seen = Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, summary(server)]));
  for (const server of Object.values(servers)) await server.stop();
  return rowsOf(seen);
}

async function begin(words) {
  const server = await startServer(words);
  await orderFirst(server.url);
  await pause(500);
  return { ...server, idle: server.memory(), rounds: [] };
}

async function runRound({ url, cpu }, count) {
  const before = cpu();
  const load = await orderAirtime(url, { count });
  await pause(AFTERMATH);
  return { ...load, micros: ((cpu() - before) * 1000) / load.requests };
}

function summary({ rounds, idle, memory }) {
  const warm = rounds.slice(1);
  return {
    idle,
    loaded: memory(),
    micros: median(warm.map(({ micros }) => micros)),
    spread: spreadOf(warm.map(({ micros }) => micros)),
    perSecond: Math.max(...warm.map(({ perSecond }) => perSecond)),
    p50: Math.min(...warm.map(({ p50 }) => p50)),
    p99: Math.min(...warm.map(({ p99 }) => p99)),
    requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
  };
}

function rowsOf({ node, hono, fair, kredo }) {
  const against = (other, of) => ({ kredo: of(kredo), other: of(other) });
  return [
    {
      what: "processor time of a top-up, the fair server's to ours",
      ...against(fair, (of) => micros(of.micros)),
      ratio: fair.micros / kredo.micros,
      spread: Math.max(fair.spread, kredo.spread),
      least: 0.75,
    },
    {
      what: "the same, bare Hono's to ours",
      ...against(hono, (of) => micros(of.micros)),
      ratio: hono.micros / kredo.micros,
    },
    {
      what: "the same, bare node:http's to ours",
      ...against(node, (of) => micros(of.micros)),
      ratio: node.micros / kredo.micros,
    },
    { what: "requests a second to bare Hono's", ...against(hono, wall), ratio: kredo.perSecond / hono.perSecond },
    { what: "p50 and p99 to bare Hono's", ...against(hono, times), ratio: kredo.p99 / hono.p99 },
    {
      what: "memory idle to bare node:http's",
      ...against(node, (of) => megabytes(of.idle)),
      ratio: kredo.idle / node.idle,
      most: 1.25,
    },
    {
      what: `memory after ${kredo.requests} requests to bare node:http's`,
      ...against(node, (of) => megabytes(of.loaded)),
      ratio: kredo.loaded / node.loaded,
      most: 2,
    },
  ];
}

function wall({ perSecond }) {
  return `${Math.round(perSecond)}/s`;
}

function times({ p50, p99 }) {
  return `${p50.toFixed(1)} and ${p99.toFixed(1)} ms`;
}
