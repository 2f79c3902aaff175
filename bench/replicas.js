import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadTypeScript } from "../test/support/load-typescript.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer, until } from "./server.js";
import { micros } from "./units.js";

const ACCOUNTS = Array.from({ length: 16 }, (_, index) => `test-${index}`);
const SCALES = [1, 2, 4];

/** Measures the cost of sharing a sandbox on PostgreSQL, and how throughput scales with replicas. Starts its own PostgreSQL. */
export async function measureReplicas({ quick, command }) {
  const { startPostgres } = await loadTypeScript(new URL("../test/replicas/postgres.ts", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const config = join(folder, "accounts.yaml");
  await writeFile(
    config,
    `accounts:\n${ACCOUNTS.map((key) => `  - { consumer_key: ${key}, consumer_secret: any, balance: "90000000" }\n`).join("")}`,
  );
  const start = (postgres, words = []) =>
    startServer(
      CONTENDERS.kredo(command, [
        ...words,
        "--config",
        config,
        ...(postgres === undefined ? [] : ["--data", postgres.url()]),
      ]),
    );
  const rows = [];
  for (const measure of [compareStores, compareRoutes, compareScales]) {
    const postgres = await startPostgres();
    rows.push(...(await measure({ postgres, start, quick })));
    await postgres[Symbol.asyncDispose]();
  }
  await rm(folder, { recursive: true, force: true });
  return rows;
}

/** Compares one replica on PostgreSQL with one process in memory, in turn. */
async function compareStores({ postgres, start, quick }) {
  const servers = [await start(), await start(postgres)];
  const seen = servers.map(() => []);
  for (let round = 0; round < (quick ? 3 : 6); round += 1)
    for (const [index, server] of servers.entries())
      seen[index].push(await runRound(server, [server], quick ? 4_000 : 15_000));
  for (const server of servers) await server.stop();
  const best = (index, name, choose) => choose(...seen[index].slice(1).map((round) => round[name]));
  const rates = [0, 1].map((index) => best(index, "perSecond", Math.max));
  const costs = [0, 1].map((index) => best(index, "micros", Math.min));
  return [
    {
      what: "top-ups a second of one replica on PostgreSQL, to one process in memory",
      kredo: `${Math.round(rates[1])}/s`,
      other: `${Math.round(rates[0])}/s`,
      ratio: rates[1] / rates[0],
      least: 0.75,
    },
    {
      what: "processor time of a top-up, in memory to on PostgreSQL",
      kredo: micros(costs[1]),
      other: micros(costs[0]),
      ratio: costs[0] / costs[1],
    },
  ];
}

/** The most processor time that a forwarded request may cost, on both replicas together, as a multiple of an owned one. */
const FORWARDING = 1.6;

/** Sends requests for one account to its owner and to the other replica, in turn. */
async function compareRoutes({ postgres, start, quick }) {
  const servers = [await start(postgres), await start(postgres)];
  const owner = await until(() => ownerOf(servers, ACCOUNTS[0]));
  const asked = [owner, servers.find((server) => server !== owner)];
  const seen = asked.map(() => []);
  for (let round = 0; round < (quick ? 3 : 6); round += 1)
    for (const [index, server] of asked.entries())
      seen[index].push(await runRound(server, servers, quick ? 4_000 : 15_000));
  for (const server of servers) await server.stop();
  const [owned, forwarded] = seen.map((rounds) => Math.min(...rounds.slice(1).map((round) => round.micros)));
  return [
    {
      what: "processor time of a forwarded top-up, to one that its owner gets",
      kredo: micros(forwarded),
      other: micros(owned),
      ratio: forwarded / owned,
      most: FORWARDING,
    },
  ];
}

async function runRound({ url }, servers, count) {
  const before = servers.map(({ cpu }) => cpu());
  const { perSecond } = await orderAirtime(url, { count, keys: ACCOUNTS.slice(0, 1) });
  // Their callbacks have no URL, but their results are still pending.
  await pause(1_500);
  const spent = servers.reduce((sum, { cpu }, index) => sum + cpu() - before[index], 0);
  return { perSecond, micros: (spent * 1_000) / count };
}

/** Each replica's share of one processor, so that a small machine has room for four replicas and the load. */
const SHARE = 0.1;

/** Sends each request to the owner of its account. Each replica's processor time is capped, so more replicas have more of it. */
async function compareScales({ postgres, start, quick }) {
  const rates = [];
  const servers = [];
  for (const scale of SCALES) {
    while (servers.length < scale) servers.push(await start(postgres));
    const owned = await until(() => sharesOf(servers));
    const count = quick ? 1_000 : 4_000;
    for (const [index, { url }] of servers.entries()) await orderAirtime(url, { count: 2_000, keys: owned[index] });
    const release = capProcessorTime(servers);
    const began = performance.now();
    await Promise.all(servers.map(({ url }, index) => orderAirtime(url, { count, keys: owned[index] })));
    rates.push((count * scale * 1_000) / (performance.now() - began));
    release();
  }
  for (const server of servers) await server.stop();
  const [one, ...others] = rates;
  return others.map((rate, index) => ({
    what: `top-ups a second of ${SCALES[index + 1]} replicas, each with ${SHARE * 100} % of a processor, to one`,
    kredo: `${Math.round(rate)}/s`,
    other: `${Math.round(one)}/s`,
    ratio: rate / one,
    least: SCALES[index + 1] === 2 ? 1.8 : 3.2,
  }));
}

/** Stops and continues processes so that none exceeds its share. Returns a function that ends this. */
function capProcessorTime(servers) {
  const burst = 10 * SHARE;
  const states = servers.map((server) => ({ server, credit: 0, spent: server.cpu(), isStopped: false }));
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const state of states) {
      const spent = state.server.cpu();
      state.credit = Math.min(burst, state.credit + (now - last) * SHARE) - (spent - state.spent);
      state.spent = spent;
      if (state.isStopped === state.credit < 0) continue;
      state.isStopped = state.credit < 0;
      process.kill(state.server.pid, state.isStopped ? "SIGSTOP" : "SIGCONT");
    }
    last = now;
  }, 2);
  return () => {
    clearInterval(timer);
    for (const { pid } of servers) process.kill(pid, "SIGCONT");
  };
}

/** Returns each server's accounts, once all accounts are owned and every server has some. */
async function sharesOf(servers) {
  const owned = servers.map(() => []);
  for (const account of ACCOUNTS) {
    const owner = await ownerOf(servers, account);
    if (owner === undefined) return undefined;
    owned[servers.indexOf(owner)].push(account);
  }
  return owned.every((accounts) => accounts.length >= Math.floor(ACCOUNTS.length / servers.length)) ? owned : undefined;
}

async function ownerOf(servers, account) {
  const { items } = await (await fetch(`${servers[0].url}/__admin/replicas`)).json();
  const owner = items.find(({ accounts }) => accounts.includes(account));
  return servers.find(({ url }) => url === owner?.url);
}
