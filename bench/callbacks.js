import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HELD, letGo } from "./held.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, ENVIRONMENT, startServer, until } from "./server.js";

const peer = (name) => new URL(`peers/${name}.js`, import.meta.url).pathname;

/** Measures many callbacks due at once, 64 of them in flight, against a bare client that only sends. */
export async function measureCallbacks({ quick, command }) {
  const count = quick ? 5_000 : 20_000;
  const receiver = await startServer([peer("receiver")]);
  const rounds = [];
  for (let round = 0; round < (quick ? 2 : 3); round += 1)
    rounds.push({ bare: await sendBare(receiver.url, count), kredo: await sendDue(receiver.url, { count, command }) });
  await receiver.stop();
  const least = (name) => Math.min(...rounds.map((round) => round[name].micros));
  const most = (name) => Math.max(...rounds.map((round) => round[name].perSecond));
  const [bare, kredo] = [least("bare"), least("kredo")];
  return [
    {
      what: "processor time of a callback with its settling, the bare client's to ours",
      kredo: `${kredo.toFixed(1)} µs`,
      other: `${bare.toFixed(1)} µs`,
      ratio: bare / kredo,
    },
    {
      what: "callbacks a second to the bare client's",
      kredo: `${Math.round(most("kredo"))}/s`,
      other: `${Math.round(most("bare"))}/s`,
      ratio: most("kredo") / most("bare"),
      least: 0.65,
    },
  ];
}

async function sendBare(url, count) {
  const child = spawn(process.execPath, [peer("bare-client"), url, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: ENVIRONMENT,
  });
  const [printed] = await once(child.stdout, "data");
  return JSON.parse(printed);
}

/** The carrier holds every result back until the last order has arrived, so that all are due at once. */
async function sendDue(url, { count, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const scenario = join(folder, "held.yaml");
  await writeFile(scenario, HELD);
  const port = CONTENDERS.kredo(command, ["--callback-url", `${url}/hook`, "--scenario", scenario]);
  const server = await startServer(port);
  const came = async () => Number(await (await fetch(`${url}/count`, { method: "DELETE" })).text());
  await came();
  await orderAirtime(server.url, { count });
  const before = server.cpu();
  const began = performance.now();
  await letGo(server.url);
  let received = 0;
  await until(async () => (received += await came()) >= count);
  const perSecond = (count / (performance.now() - began)) * 1000;
  const micros = ((server.cpu() - before) * 1000) / count;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  return { micros, perSecond };
}
