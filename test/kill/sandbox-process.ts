import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";

/** How a sandbox is started, again and again on the same file. */
export interface Launch {
  /** The bundled command. */
  readonly command: string;
  readonly dataFile: string;
  readonly callbackUrl: string;
  readonly seed: number;
}

/** A sandbox of its own process. */
export interface SandboxProcess {
  readonly url: string;
  /** What it said until it was ready. */
  readonly said: string;
  /** Wall time until it was ready. */
  readonly startMillis: number;
  /** Ends it at once, as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Results and callbacks take some time, so that there is always something pending. */
const LATENCY = "300";
const CONFIG = "journal: { max_transactions: 1000000, max_bytes: 1073741824 }\nlog: { format: json }\n";

export async function startProcess({ command, dataFile, callbackUrl, seed }: Launch): Promise<SandboxProcess> {
  const begun = performance.now();
  const words = ["--port", "0", "--data", dataFile, "--callback-url", callbackUrl, "--seed", String(seed)];
  const node = process.env["NODE_WITH_SQLITE"] ?? process.execPath;
  const child = spawn(node, [command, "serve", ...words, "--balance", "100000000", "--latency", LATENCY], {
    cwd: dirname(dataFile),
    env: { KREDO_CONFIG_INLINE: CONFIG },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (said.includes('"ready"')) return;
      said += chunk.toString();
      if (said.includes('"ready"')) resolve();
    });
  });
  await Promise.race([ready, closed]);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  if (url === undefined) throw new Error(`the sandbox did not start: ${said}`);
  return {
    url,
    said,
    startMillis: performance.now() - begun,
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
