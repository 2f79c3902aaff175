import { spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuMillis, memoryBytes } from "./proc.js";

const peer = (name) => new URL(`peers/${name}.js`, import.meta.url).pathname;

/** The measured servers: the command as `npm start` runs it, and bare servers. */
export const CONTENDERS = {
  node: () => [peer("bare-http")],
  hono: () => [peer("bare-hono")],
  fair: () => [peer("fair")],
  kredo: (command, args = []) => [command, "serve", "--port", "0", "--balance", "9000000000", "--seed", "1", ...args],
};

/** The environment without Kredo's settings, and without variables that slow down every start of Node. */
export const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(KREDO_|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$|PORT$)/.test(name)),
);

/** Starts a server that logs to a file, as a user's would. Resolves when it prints its address. */
export async function startServer(words) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const log = join(folder, "log");
  const file = await open(log, "w");
  const child = spawn(process.execPath, words, { stdio: ["ignore", file.fd, file.fd], env: ENVIRONMENT, cwd: folder });
  await file.close();
  const readLog = () => readFile(log, "utf8");
  const url = await until(async () => readUrl(await readLog(), child));
  return {
    url,
    pid: child.pid,
    readLog,
    cpu: () => cpuMillis(child.pid),
    memory: () => memoryBytes(child.pid),
    stop: async () => {
      const ended = new Promise((resolve) => void child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Polls until there is a result. */
export async function until(look, patience = 60_000) {
  const end = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error("nothing came within a minute");
    await pause(10);
  }
}

export function readUrl(text, child) {
  if (text.includes("Ready.")) return /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
  if (child.exitCode !== null) throw new Error(`the server ended by itself:\n${text}`);
  return undefined;
}
