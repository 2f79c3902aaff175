import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { orderFirst } from "./orders.js";
import { packCommand } from "./packed.js";
import { cpuMillis } from "./proc.js";
import { CONTENDERS, ENVIRONMENT, readUrl } from "./server.js";

const CONFIG = `port: 8254
profile: document
seed: 7
scenarios: [magic-numbers, bad-afternoon]
accounts:
  - consumer_key: sandbox-key
    consumer_secret: sandbox-secret
    balance: "9000000000.00"
    callbacks: { airtime: "http://127.0.0.1:9/hooks/airtime" }
    organization: { location: Nairobi - Westlands }
`;

/**
 * Measures the time from spawn to the first 200, in turn: as packed for `npx kredo`, with and without a config file and a scenario, and as
 * built here.
 */
export async function measureStartUp({ quick, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const config = join(folder, "kredo.config.yaml");
  await writeFile(config, CONFIG);
  const packed = await packCommand();
  const withConfig = ["--config", config];
  const starts = {
    node: { words: CONTENDERS.node(), seen: [] },
    hono: { words: CONTENDERS.hono(), seen: [] },
    plain: { words: CONTENDERS.kredo(packed.command), seen: [] },
    kredo: { words: CONTENDERS.kredo(packed.command, withConfig), seen: [] },
    killed: { words: CONTENDERS.kredo(packed.command, withConfig), seen: [], cache: join(folder, "cache") },
    built: { words: CONTENDERS.kredo(command, withConfig), seen: [] },
  };
  await startOnce({ ...starts.killed, runsMillis: 5_000 }, folder);
  for (let round = 0; round < (quick ? 12 : 30); round += 1)
    for (const start of Object.values(starts)) start.seen.push(await startOnce(start, folder));
  await rm(folder, { recursive: true, force: true });
  await packed.remove();
  return rowsOf(Object.fromEntries(Object.entries(starts).map(([name, { seen }]) => [name, best(seen)])));
}

/** Starts a server and stops it as a user would, by SIGTERM, so that Node keeps its compile cache. One with its own cache is killed by SIGKILL. */
async function startOnce({ words, cache, runsMillis = 0 }, cwd) {
  const env = cache === undefined ? ENVIRONMENT : { ...ENVIRONMENT, NODE_COMPILE_CACHE: cache };
  const began = performance.now();
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], env, cwd });
  await orderFirst(await whereItListens(child));
  const start = { wall: performance.now() - began, cpu: cpuMillis(child.pid) };
  await pause(runsMillis);
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  child.kill(cache === undefined ? "SIGTERM" : "SIGKILL");
  await ended;
  return start;
}

function whereItListens(child) {
  let text = "";
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const url = readUrl(text, child);
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`the server ended by itself:\n${text}`)));
  });
}

function best(seen) {
  return { wall: Math.min(...seen.map(({ wall }) => wall)), cpu: Math.min(...seen.map(({ cpu }) => cpu)) };
}

function rowsOf({ node, hono, plain, kredo, killed, built }) {
  const row = (what, one, other) => ({ what, kredo: both(one), other: both(other), ratio: one.wall / other.wall });
  return [
    {
      ...row("spawn to first 200 (processor time), config and scenario, packed, to bare node:http", kredo, node),
      most: 1.9,
    },
    {
      what: "the same in processor time",
      kredo: both(kredo),
      other: both(node),
      ratio: kredo.cpu / node.cpu,
    },
    {
      ...row("packed, with both, its only earlier start killed after 5 s, to bare node:http", killed, node),
      most: 2,
    },
    row("packed, without a config file, to bare node:http", plain, node),
    {
      ...row("built with all its packages, as in the image, config and scenario, to bare node:http", built, node),
      most: 2,
    },
    row("packed, with both, to bare Hono, not bundled", kredo, hono),
  ];
}

function both({ wall, cpu }) {
  return `${wall.toFixed(0)} ms (${cpu.toFixed(0)})`;
}
