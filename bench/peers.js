import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { orderAirtime, orderFirst } from "./orders.js";
import { ACKNOWLEDGMENT } from "./peers/acknowledgment.js";
import { cpuMillis, memoryBytes } from "./proc.js";
import { CONTENDERS, ENVIRONMENT, until } from "./server.js";
import { megabytes, micros } from "./units.js";

const OPENAPI = new URL("peers/openapi.json", import.meta.url).pathname;

/**
 * General-purpose mock servers, each configured to answer the same request with the same acknowledgment. emulate has no comparable
 * endpoint.
 */
const PEERS = [
  {
    name: "mountebank",
    version: "2.9.1",
    script: "mountebank/bin/mb",
    words: async (port, folder) => [
      "start",
      "--configfile",
      await writeJson(folder, imposter(port)),
      "--port",
      `${await freePort()}`,
      "--nologfile",
      // A leftover PID file would prevent the next start.
      "--pidfile",
      join(folder, `${port}.pid`),
    ],
  },
  {
    name: "@stoplight/prism-cli",
    version: "5.16.0",
    script: "@stoplight/prism-cli/dist/index.js",
    words: (port) => ["mock", "--port", `${port}`, "--host", "127.0.0.1", OPENAPI],
  },
  {
    name: "@mockoon/cli",
    version: "9.9.0",
    script: "@mockoon/cli/bin/run.js",
    words: (port) => ["start", "--data", OPENAPI, "--port", `${port}`, "--hostname", "127.0.0.1"],
  },
  {
    name: "json-server",
    version: "0.17.4",
    script: "json-server/lib/cli/bin.js",
    words: async (port, folder) => [
      await writeJson(folder, { airtime: [] }),
      "--port",
      `${port}`,
      "--quiet",
      "--routes",
      await writeJson(folder, { "/api/v2/*": "/$1" }),
    ],
  },
];

/** The sandbox, started and called like the mock servers. */
const SANDBOX = (command) => ({
  path: command,
  words: (port) => [...CONTENDERS.kredo(command).slice(1), "--port", `${port}`],
});

/** Downloads each server into a temporary folder and measures it next to the sandbox. Prints a line for one that is not available. */
export async function measurePeers({ quick, command }) {
  const rows = [];
  for (const peer of PEERS) {
    const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
    try {
      rows.push(...(await compare(peer, { folder, quick, command })));
    } catch (problem) {
      process.stderr.write(`${peer.name} ${peer.version} was not measured: ${firstLine(problem)}\n`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  process.stderr.write("emulate has no endpoint like these, and was not measured\n");
  return rows;
}

async function compare(peer, { folder, quick, command }) {
  const { name, version } = peer;
  await promisify(execFile)("npm", [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-audit",
    "--no-fund",
    `${name}@${version}`,
  ]);
  const others = [SANDBOX(command), { path: join(folder, "node_modules", peer.script), words: peer.words }];
  const starts = await startInTurn(others, { folder, rounds: quick ? 2 : 6 });
  const contenders = await Promise.all(
    others.map(async (one, place) => ({ ...(await startPeer(one, folder)), seen: [], start: starts[place] })),
  );
  try {
    for (let round = 0; round < (quick ? 3 : 5); round += 1)
      for (const server of contenders) server.seen.push(await runRound(server, quick ? 1_000 : 5_000));
    return rowsOf(`${name} ${version}`, contenders);
  } finally {
    for (const server of contenders) await server.stop();
  }
}

/** Returns the milliseconds from spawn to the first 200 of each, the best of several starts in turn. */
async function startInTurn(contenders, { folder, rounds }) {
  const starts = contenders.map(() => Infinity);
  for (let round = 0; round < rounds; round += 1)
    for (const [place, contender] of contenders.entries()) {
      const { start, stop } = await startPeer(contender, folder);
      await stop();
      starts[place] = Math.min(starts[place], start);
    }
  return starts;
}

/** Polls the server until it answers, because each of them prints its address differently. */
async function startPeer({ path, words }, folder) {
  const port = await freePort();
  const given = await words(port, folder);
  const began = performance.now();
  const child = spawn(process.execPath, [path, ...given], {
    stdio: "ignore",
    env: ENVIRONMENT,
    cwd: folder,
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = () => stopChild(child);
  try {
    await until(() => answers(url, child));
  } catch (problem) {
    await stop();
    throw problem;
  }
  return {
    url,
    start: performance.now() - began,
    cpu: () => cpuMillis(child.pid),
    memory: () => memoryBytes(child.pid),
    stop,
  };
}

async function stopChild(child) {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function answers(url, child) {
  if (child.exitCode !== null) throw new Error(`it ended by itself with exit code ${child.exitCode}`);
  return orderFirst(url).then(
    () => true,
    () => false,
  );
}

async function runRound({ url, cpu }, count) {
  const before = cpu();
  const { perSecond } = await orderAirtime(url, { count });
  return { perSecond, micros: ((cpu() - before) * 1000) / count };
}

function rowsOf(name, contenders) {
  const [kredo, other] = contenders.map(({ seen, memory, start }) => ({
    start,
    micros: Math.min(...seen.slice(1).map((round) => round.micros)),
    perSecond: Math.max(...seen.slice(1).map((round) => round.perSecond)),
    memory: memory(),
  }));
  const row = (what, ratio, of) => ({ what, kredo: of(kredo), other: of(other), ratio });
  return [
    row(`processor time of a request, that of ${name} to ours`, other.micros / kredo.micros, (of) => micros(of.micros)),
    row(
      `requests a second to those of ${name}`,
      kredo.perSecond / other.perSecond,
      (of) => `${Math.round(of.perSecond)}/s`,
    ),
    row(`spawn to first 200, to that of ${name}`, kredo.start / other.start, (of) => `${of.start.toFixed(0)} ms`),
    row(`memory under load to that of ${name}`, kredo.memory / other.memory, (of) => megabytes(of.memory)),
  ];
}

function imposter(port) {
  const is = { statusCode: 200, headers: { "content-type": "application/json" }, body: ACKNOWLEDGMENT };
  return {
    imposters: [
      {
        port,
        protocol: "http",
        stubs: [{ predicates: [{ equals: { path: "/api/v2/airtime" } }], responses: [{ is }] }],
      },
    ],
  };
}

async function writeJson(folder, value) {
  const file = join(folder, `${Object.keys(value)[0].replace(/\W/g, "")}.json`);
  await writeFile(file, JSON.stringify(value));
  return file;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function firstLine(problem) {
  return (problem instanceof Error ? problem.message : String(problem)).split("\n", 1)[0];
}
