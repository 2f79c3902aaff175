import { formatDuration, type Millis, SECOND } from "../domain/time.ts";
import { containerFlags } from "./container-flags.ts";
import { exchange, Unanswered } from "./exchange.ts";
import { durationFlag } from "./flag-values.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { expectWords } from "./read-said.ts";
import { SERVED_CONFIG_FLAG } from "./served-config.ts";
import { checkUrl, reachable } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "ready";
const INTERVAL: Millis = 100;

/** Docker gives its health check 3 s in the image. */
const LIMIT: Millis = 2 * SECOND;

export const ready: Verb = {
  usage: [`${USAGE} [flags]`],
  about:
    "Asks the sandbox on this machine whether it is ready: exit code 0 if so, else 1. It is looked for where serve would listen; in\nKredo's image, where the flags of its container say.",
  flags: [
    { name: "wait", value: "DURATION", about: "asks again until it is ready, this long at most" },
    { name: "url", value: "URL", about: "asks there instead" },
    SERVED_CONFIG_FLAG,
  ],
  run: askUntilReady,
};

async function askUntilReady(said: Said, terminal: Terminal): Promise<ExitCode> {
  expectWords(said.words, [], USAGE);
  const { clock, pause } = terminal;
  const wait = durationFlag(said, "wait", 0);
  const deadline = clock.now() + wait;
  const url = await findSandbox(said, terminal);
  let obstacle = await findObstacle(url);
  while (obstacle !== undefined && clock.now() < deadline) {
    await pause(INTERVAL, new AbortController().signal);
    obstacle = await findObstacle(url);
  }
  if (obstacle === undefined) {
    printLines(terminal.stdout, [`Ready: ${url}`]);
    return 0;
  }
  throw new Halt(1, `Not ready${wait === 0 ? "" : ` within ${formatDuration(wait)}`}: ${url} ${obstacle}.`);
}

async function findSandbox({ flags }: Said, { env, files }: Terminal): Promise<string> {
  const url = flags.get("url");
  if (url !== undefined) return checkUrl(url, "--url");
  const { readServeOptions } = await import("./serve-options.ts");
  const config = flags.get("config");
  const words = [...containerFlags(env, files), ...(config === undefined ? [] : ["--config", config])];
  const options = readServeOptions(words, env, files);
  if ("problems" in options) throw new Halt(2, options.problems.join("\n"));
  const { port, host } = options.settings;
  if (port === 0) throw new Halt(2, "port 0 takes any free port, so nobody knows which; name the sandbox with --url");
  return `http://${reachable(host)}:${port}`;
}

/** Why it is not ready; undefined when it is. */
async function findObstacle(url: string): Promise<string | undefined> {
  try {
    const { status } = await exchange({ method: "GET", url: `${url}/readyz`, headers: {}, limit: LIMIT });
    return status === 200 ? undefined : `answers ${status}`;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return `does not answer (${error.message})${error.repair === undefined ? "" : `: ${error.repair}`}`;
  }
}
