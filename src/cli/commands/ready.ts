import { basename } from "node:path";
import { parseArgs } from "node:util";
import { exchange, Unanswered } from "../../control/client/http-exchange.ts";
import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Files } from "../../gateway/adapters/files/files-on-disk.ts";
import { CliError } from "../terminal/cli-error.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { durationFlag } from "../terminal/flag-values.ts";
import { withoutServiceLinks } from "../config/serve-flags.ts";
import { readTarget, SANDBOX_FLAGS, type Target } from "../client/target.ts";
import { printLines, type Terminal, type Variables } from "../terminal/terminal.ts";

const INTERVAL: Millis = 100;

/** Less than the 3 s that Docker gives the image's health check. */
const ANSWER_LIMIT: Millis = 2 * SECOND;

export const command: Command = {
  name: "ready",
  about: [
    "Check whether the sandbox is ready: exit code 0 if so, otherwise 1.",
    "In Kredo's image, it follows the options that the container was started with.",
  ].join(" "),
  flags: [{ name: "wait", value: "DURATION", about: "keep trying for up to this long" }, ...SANDBOX_FLAGS],
  examples: ["kredo ready --wait 10s && npm test"],
  docs: "containers",
  async run(args, terminal) {
    const { clock, pause, stdout } = terminal;
    const wait = durationFlag(args, "wait", 0);
    const deadline = clock.now() + wait;
    const { url } = await findSandbox(args, terminal);
    let { obstacle, replicas } = await askReady(url);
    while (obstacle !== undefined && clock.now() < deadline) {
      await pause(INTERVAL, new AbortController().signal);
      ({ obstacle, replicas } = await askReady(url));
    }
    const json = { ready: obstacle === undefined, url, obstacle, replicas };
    const within = wait === 0 ? "" : ` within ${formatDuration(wait)}`;
    if (obstacle !== undefined) throw new CliError(1, `Not ready${within}: ${url} ${obstacle}.`, json);
    printLines(stdout, args.flags.has("json") ? [JSON.stringify(json)] : [`Ready: ${url}`, ...(replicas ?? [])]);
    return 0;
  },
};

/** In the image, the container's own options override variables. */
function findSandbox({ words, flags, repeated }: ParsedArgs, terminal: Terminal): Promise<Target> {
  const option = { type: "string" } as const;
  const { port, host, config } = parseArgs({
    args: [...containerFlags(terminal.env, terminal.files)],
    options: { port: option, host: option, config: option },
    strict: false,
    allowPositionals: true,
  }).values;
  const own = withoutServiceLinks(terminal.env);
  const servedPort = typeof port === "string" ? port : own["KREDO_PORT"] || (own["KREDO_IMAGE"] && own["PORT"]);
  const env = { ...own, KREDO_PORT: servedPort, KREDO_HOST: typeof host === "string" ? host : own["KREDO_HOST"] };
  const started = typeof config === "string" ? [["config", config] as const] : [];
  return readTarget({ words, flags: new Map([...started, ...flags]), repeated }, { ...terminal, env });
}

interface Readiness {
  /** Why it is not ready; undefined if it is. */
  readonly obstacle?: string;
  /** The accounts of each replica, if several share the sandbox. */
  readonly replicas?: readonly string[];
}

async function askReady(url: string): Promise<Readiness> {
  try {
    const { status, text } = await exchange({ method: "GET", url: `${url}/readyz`, headers: {}, limit: ANSWER_LIMIT });
    const [first, ...replicas] = text.split("\n").filter((line) => line !== "");
    if (status === 200) return replicas.length === 0 ? {} : { replicas };
    return { obstacle: `answers ${status}${first === undefined ? "" : `: ${first}`}` };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { obstacle: `does not answer (${error.message})${error.repair === undefined ? "" : `: ${error.repair}`}` };
  }
}

/**
 * Returns the flags with which a container of Kredo's image was started (`docker run kredo --port 9000`), because no variable passes them
 * to other processes in it. Empty outside the image, or if the first process is not `kredo serve`.
 */
export function containerFlags(env: Variables, files: Files): readonly string[] {
  if (!env["KREDO_IMAGE"]) return [];
  // Each word ends with a null byte (proc_pid_cmdline(5)).
  const started = files.read("/proc/1/cmdline");
  const words = "text" in started ? started.text.split("\0").slice(0, -1) : [];
  // Node and an init process may come first; the arguments of serve follow.
  const kredo = words.findIndex((word) => /^kredo(\.js)?$/.test(basename(word)));
  const [first, ...rest] = kredo === -1 ? [] : words.slice(kredo + 1);
  if (first === "serve") return rest;
  return first?.startsWith("-") === true ? [first, ...rest] : [];
}
