import { spawn } from "node:child_process";
import { once } from "node:events";

/** How a sandbox is started, again and again. */
export interface Launch {
  /** The bundled command. */
  readonly command: string;
  /** The folder that it runs in. */
  readonly folder: string;
  /** Flags of `serve`. */
  readonly words: readonly string[];
  /** The text of its config file. */
  readonly config: string;
  /** The Node that runs it; this one unless told. */
  readonly node?: string | undefined;
  /** Flags of Node. */
  readonly nodeWords?: readonly string[];
  /** Environment variables besides its config. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A sandbox of its own process. */
export interface SandboxProcess {
  readonly url: string;
  readonly pid: number;
  /** Everything that it has said so far. */
  readonly said: () => string;
  /** Wall time until it was ready. */
  readonly startMillis: number;
  /** Resolves once it has said the text. */
  untilSaid(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Ends it at once, as a crash would, or as the signal does; resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export async function startProcess({
  command,
  folder,
  words,
  config,
  node,
  nodeWords = [],
  variables = {},
}: Launch): Promise<SandboxProcess> {
  const begun = performance.now();
  const child = spawn(
    node ?? process.execPath,
    [...nodeWords, command, "serve", "--port", "0", "--log-format", "json", ...words],
    {
      cwd: folder,
      env: { KREDO_CONFIG_INLINE: config, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const closed = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const untilSaid = async (text: string): Promise<void> => {
    while (!said.includes(text) && child.exitCode === null)
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), closed]);
  };
  await untilSaid('"ready"');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  if (url === undefined || child.pid === undefined) throw new Error(`the sandbox did not start: ${said}`);
  return {
    url,
    pid: child.pid,
    said: () => said,
    startMillis: performance.now() - begun,
    untilSaid,
    signal: (name) => void child.kill(name),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await closed;
    },
  };
}
