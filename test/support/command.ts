import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = new URL("../../", import.meta.url);
export const BUILT_COMMAND = new URL("dist/kredo.js", ROOT).pathname;

/** Bundles the command as it is shipped. */
export async function buildCommand(): Promise<void> {
  await promisify(execFile)(process.execPath, ["scripts/build.js"], { cwd: ROOT });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running extends AsyncDisposable {
  /** What it says of itself, once it is ready. */
  readonly port: number;
  readonly printed: () => string;
  /** Resolves once standard output holds the text. */
  untilPrinted(text: string): Promise<void>;
  /** Sends a signal; answers how it ended. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** Runs `kredo serve` in an empty folder until it ends by itself. */
export async function runCommand(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return begin(["serve", ...words], env).ended;
}

/** Runs `kredo` with this text on standard input, and with a signal as soon as the text stands on standard output. */
export async function runVerb(
  words: readonly string[],
  { stdin = "", signal }: { stdin?: string; signal?: { name: NodeJS.Signals; after: string } },
): Promise<Ended> {
  const { child, ended, printed } = begin(words, {});
  child.stdin.end(stdin);
  const signalOnce = (): void => {
    if (signal === undefined || !printed().includes(signal.after)) return;
    child.stdout.off("data", signalOnce);
    child.kill(signal.name);
  };
  child.stdout.on("data", signalOnce);
  return ended;
}

/** Starts `kredo` in an empty folder on a free port and waits until it is ready. */
export async function startCommand(
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  command = BUILT_COMMAND,
): Promise<Running> {
  const { child, ended, printed } = begin(["serve", "--port", "0", ...words], env, command);
  const untilPrinted = async (text: string): Promise<void> => {
    while (!printed().includes(text)) await once(child.stdout, "data");
  };
  await untilPrinted("Ready.");
  return {
    untilPrinted,
    port: Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(printed())?.[1]),
    printed,
    async stop(signal) {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function begin(words: readonly string[], env: Readonly<Record<string, string>>, command = BUILT_COMMAND) {
  const cwd = mkdtempSync(join(tmpdir(), "kredo-"));
  const child = spawn(process.execPath, [command, ...words], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(([code]): Ended => ({
    code: typeof code === "number" ? code : null,
    stdout,
    stderr,
  }));
  return { child, ended, printed: () => stdout };
}
