import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { control } from "./control.js";
import { HELD, letGo } from "./held.js";
import { HEADERS, orderAirtime } from "./orders.js";
import { CONTENDERS, startServer, until } from "./server.js";
import { megabytes } from "./units.js";

const peer = (name) => new URL(`peers/${name}.js`, import.meta.url).pathname;

const DUE = 10_000;

/** The number of clients that never read, and of items that each requests: more than the kernel and the sandbox buffer. */
const DEAF = 4;
const ASKED = 50_000;

/** A server that uses less than this in half a second is idle. */
const RESTING_MILLIS = 25;

/** Measures how 64 connections are affected by 10,000 callbacks due at once, a receiver that hangs, and clients that never read. */
export async function measureStrain({ quick, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const scenario = join(folder, "held.yaml");
  await writeFile(scenario, HELD);
  const receivers = {
    prompt: await startServer([peer("receiver")]),
    hanging: await startServer([peer("hanging-receiver")]),
  };
  const sandbox = await startServer(CONTENDERS.kredo(command, ["--scenario", scenario]));
  const bench = {
    sandbox,
    receivers,
    orders: quick ? 5_000 : 10_000,
    seen: { usual: [], due: [], hanging: [], deaf: [] },
  };
  for (let round = 0; round < (quick ? 2 : 4); round += 1) await runRound(bench);
  for (const server of [sandbox, ...Object.values(receivers)]) await server.stop();
  await rm(folder, { recursive: true, force: true });
  return rowsOf(bench.seen);
}

/** Starts with the callbacks due at once, so that the usual load can follow on the same clock with the same receiver. */
async function runRound(bench) {
  const { sandbox, receivers, seen } = bench;
  await holdBack(bench, receivers.prompt);
  const due = letGo(sandbox.url);
  seen.due.push(await feel(bench));
  await due;
  await control(sandbox.url, { method: "POST", path: "/drain", body: { within: "60s" } });
  seen.usual.push(await feel(bench));
  seen.deaf.push(await besideDeaf(bench));
  await holdBack(bench, receivers.hanging);
  await letGo(sandbox.url);
  seen.hanging.push(await feel(bench));
}

/** Resets the account, with 10,000 results that its carriers hold back. */
async function holdBack({ sandbox: { url } }, receiver) {
  await control(url, { method: "POST", path: "/reset" });
  await control(url, { method: "PUT", path: "/callbacks", body: { airtime: `${receiver.url}/hook` } });
  await orderAirtime(url, { count: DUE });
}

async function feel({ sandbox, orders }) {
  const { p99 } = await orderAirtime(sandbox.url, { count: orders });
  return { p99, memory: sandbox.memory() };
}

async function besideDeaf(bench) {
  const { hostname, port } = new URL(bench.sandbox.url);
  const asked =
    `GET /api/v2/account-details HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${HEADERS.authorization}\r\n\r\n`.repeat(
      ASKED,
    );
  const clients = await Promise.all(Array.from({ length: DEAF }, () => connectDeaf({ hostname, port })));
  for (const client of clients) client.write(asked);
  await until(() => isResting(bench.sandbox));
  const felt = await feel(bench);
  for (const client of clients) client.destroy();
  return felt;
}

async function isResting({ cpu }) {
  const before = cpu();
  await pause(500);
  return cpu() - before < RESTING_MILLIS;
}

async function connectDeaf({ hostname, port }) {
  const client = connect({ host: hostname, port });
  client.on("error", () => {});
  await once(client, "connect");
  return client;
}

function rowsOf({ usual, ...strains }) {
  const before = best(usual);
  return Object.entries(strains).map(([name, seen]) => {
    const strained = best(seen);
    const ratio = strained.p99 / before.p99;
    return {
      what: `p99 (and memory) ${STRAINS[name]}, to the usual`,
      kredo: told(strained),
      other: told(before),
      ratio,
      most: 1.5,
    };
  });
}

function best(seen) {
  return { p99: Math.min(...seen.map(({ p99 }) => p99)), memory: Math.max(...seen.map(({ memory }) => memory)) };
}

function told({ p99, memory }) {
  return `${p99.toFixed(1)} ms, ${megabytes(memory)}`;
}

const STRAINS = {
  due: `while ${DUE} callbacks fall due at once`,
  hanging: `while ${DUE} callbacks wait for a receiver that hangs`,
  deaf: `beside ${DEAF} clients that ask and never read`,
};
