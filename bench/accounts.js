import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { heapBytes, INSPECTED } from "./heap.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes, micros } from "./units.js";

const MANY = 1_000;
const NUMBERS_OF_ACCOUNTS = [1, 10, 100, MANY];
/** The most megabytes that the idle accounts may take. */
const ROOM = 20;

/** Measures the cost of a request when many accounts are used in turn, and the memory of idle accounts. */
export async function measureAccounts({ quick, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const start = async (accounts, words = []) => {
    const config = join(folder, `${accounts}.yaml`);
    await writeFile(config, configOf(accounts));
    return {
      accounts,
      ...(await startServer([...words, ...CONTENDERS.kredo(command, ["--config", config])])),
      seen: [],
    };
  };
  const idle = await compareIdle(start);
  const servers = [];
  for (const accounts of NUMBERS_OF_ACCOUNTS) servers.push(await start(accounts));
  for (let round = 0; round < (quick ? 3 : 5); round += 1)
    for (const server of servers) server.seen.push(await runRound(server, quick ? 5_000 : 15_000));
  for (const server of servers) await server.stop();
  await rm(folder, { recursive: true, force: true });
  const [alone, ...others] = servers.map(({ accounts, seen }) => ({ accounts, least: Math.min(...seen.slice(1)) }));
  return [
    ...others.map(({ accounts, least }) => ({
      what: `processor time of a request, to one account and to ${accounts} in turn`,
      kredo: micros(least),
      other: micros(alone.least),
      ratio: alone.least / least,
    })),
    { what: `heap (and resident memory) of ${MANY} idle accounts, to ${ROOM} MB`, ...idle },
  ];
}

/** The wallets are as full as in the other rows. */
function configOf(accounts) {
  const written = keysOf(accounts).map(
    (key) => `  - { consumer_key: ${key}, consumer_secret: any, balance: "9000000.00" }`,
  );
  return `accounts:\n${written.join("\n")}\n`;
}

function keysOf(accounts) {
  return Array.from({ length: accounts }, (_, index) => `test-${index}`);
}

/**
 * Compares the heap in use after a garbage collection, because the memory that V8 has not returned yet varies by more than the accounts
 * take. Sends the same requests to the first account of both, so that both have compiled the same code.
 */
async function compareIdle(start) {
  const seen = [];
  for (const accounts of [1, MANY]) {
    const server = await start(accounts, INSPECTED);
    await orderAirtime(server.url, { count: 5_000, keys: keysOf(1) });
    await pause(3_000);
    seen.push({ heap: await heapBytes(server), memory: server.memory() });
    await server.stop();
  }
  const [one, many] = seen;
  const taken = many.heap - one.heap;
  const kredo = `${megabytes(taken)} (${megabytes(many.memory - one.memory)})`;
  return { kredo, other: `${ROOM} MB`, ratio: taken / (ROOM * 2 ** 20), most: 1 };
}

async function runRound({ url, cpu, accounts }, count) {
  const before = cpu();
  await orderAirtime(url, { count, keys: keysOf(accounts) });
  await pause(1_500);
  return ((cpu() - before) * 1000) / count;
}
