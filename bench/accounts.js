import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes, micros } from "./units.js";

const NUMBERS_OF_ACCOUNTS = [1, 10, 100, 1_000];
/** Megabytes that so many idle accounts may take. */
const ROOM = 20;

/** What a request costs when many accounts are asked in turn, and what memory idle ones take. */
export async function measureAccounts({ quick, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const start = async (accounts) => {
    const config = join(folder, `${accounts}.yaml`);
    await writeFile(config, configOf(accounts));
    return { accounts, ...(await startServer(CONTENDERS.kredo(command, ["--config", config]))), seen: [] };
  };
  const servers = [];
  for (const accounts of NUMBERS_OF_ACCOUNTS) servers.push(await start(accounts));
  const [one, many] = [servers[0], servers.at(-1)];
  const idle = await compareIdle(one, many);
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
    { what: `memory of ${many.accounts} idle accounts, to ${ROOM} MB`, ...idle },
  ];
}

/** Their wallets are as full as that of the other rows. */
function configOf(accounts) {
  const written = Array.from(
    { length: accounts },
    (_, index) => `  - { consumer_key: test-${index}, consumer_secret: any, balance: "9000000.00" }`,
  );
  return `accounts:\n${written.join("\n")}\n`;
}

/** After the same requests, each to the first account, so that both have compiled the same code. */
async function compareIdle(one, many) {
  for (const { url } of [one, many]) await orderAirtime(url, { count: 5_000, accounts: 1 });
  await pause(3_000);
  const taken = Math.max(0, many.memory() - one.memory());
  return { kredo: megabytes(taken), other: `${ROOM} MB`, ratio: taken / (ROOM * 2 ** 20), most: 1 };
}

async function runRound({ url, cpu, accounts }, count) {
  const before = cpu();
  await orderAirtime(url, { count, accounts });
  await pause(1_500);
  return ((cpu() - before) * 1000) / count;
}
