import { randomUUID } from "node:crypto";
import { isDone } from "../account/transaction.ts";
import type { Listening } from "../adapters/node-server.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import type { World } from "../engine/world.ts";
import { type Simulator, startSimulator } from "../simulator.ts";
import { type EventLog, eventLog } from "./event-log.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { explainListenFailure } from "./listen-failure.ts";
import { readServeOptions } from "./serve-options.ts";
import { printLines, type Terminal } from "./terminal.ts";
import { type Watch, watchScenarios } from "./watch-scenarios.ts";

/** Runs the sandbox until it is interrupted. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const options = readServeOptions(words, terminal.env, terminal.files);
  printLines(
    terminal.stderr,
    options.warnings.map((warning) => `warning: ${warning}`),
  );
  if ("problems" in options) throw new Halt(2, options.problems.join("\n"));
  const interruption = terminal.interruption();
  const log = eventLog(options.settings, terminal);
  const simulator = await startSimulator(options.settings, {
    overrideGlobals: true,
    scenarios: options.scenarios.map(({ scenario }) => scenario),
    report: (fault) => reportFault(log, fault),
  });
  simulator.world.observe(log.witness);
  simulator.findings.observe(log.findingWitness);
  const listening = await listenOrHalt(simulator, options.settings);
  announce(log, simulator, { listening, configFile: options.configFile });
  await (options.watch ? watchOrReport({ ...options, simulator, log }, terminal, interruption) : aborted(interruption));
  return stop(simulator, listening, log);
}

async function listenOrHalt(simulator: Simulator, { port, host }: SandboxSettings): Promise<Listening> {
  try {
    return await simulator.listen({ port, host });
  } catch (error) {
    await simulator.close();
    throw new Halt(3, explainListenFailure(error, port, host));
  }
}

/** Where the sandbox is, and what a client needs to call it. */
function announce(
  log: EventLog,
  { world }: Simulator,
  { listening, configFile }: { listening: Listening; configFile: string | undefined },
): void {
  const { settings, seed } = world.get("default").state;
  const { url } = listening;
  const { airtime, sms } = settings.callbacks.urls;
  const lines = [
    `Kredo sandbox   ${url}`,
    `consumer key    ${settings.consumerKey}`,
    `consumer secret ${settings.consumerSecret}`,
    `callbacks       ${[airtime, sms].some((target) => target !== undefined) ? `airtime ${shown(airtime?.url)}, sms ${shown(sms?.url)}` : "no URL yet: kredo listen, --callback-url, or the control API"}`,
    `seed            ${seed}`,
    ...(configFile === undefined ? [] : [`config          ${configFile}`]),
    "Ready.",
  ];
  // Without the secret: this is kept where logs are kept, the lines above are for who started it.
  const fields = { url, consumer_key: settings.consumerKey, seed, config: configFile, text: "Ready." };
  log.write({ level: "info", event: "ready", text: lines.join("\n"), fields });
  log.flush();
}

/** A URL without its query and its password, which often are secrets. */
function shown(url: string | undefined): string {
  return url === undefined ? "none" : url.replace(/\?.*$/, "?…").replace(/\/\/[^/]*@/, "//…@");
}

/** What goes wrong with it does not end the sandbox. */
async function watchOrReport(
  watch: Omit<Watch, "files" | "pause"> & { log: EventLog },
  { files, pause }: Terminal,
  stopping: AbortSignal,
): Promise<void> {
  await watchScenarios({ ...watch, files, pause }, stopping).catch((fault: unknown) => reportFault(watch.log, fault));
  await aborted(stopping);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function stop(simulator: Simulator, listening: Listening, log: EventLog): Promise<ExitCode> {
  await simulator.close();
  await listening.close();
  const left = countUndelivered(simulator.world);
  const text =
    left === 0
      ? "Stopped; every callback was delivered or given up."
      : `Stopped with ${left} ${left === 1 ? "callback" : "callbacks"} undelivered.`;
  log.write({ level: "info", event: "notice", text, fields: { undelivered: left } });
  log.flush();
  return 0;
}

/** Callbacks that were still to come; a transaction whose operation has no callback URL has none. */
function countUndelivered(world: World): number {
  const coming = world
    .list()
    .flatMap(({ state }) =>
      [...state.transactions.values()].filter(
        (transaction) => !isDone(transaction) && state.settings.callbacks.urls[transaction.accepted.order.operation] !== undefined,
      ),
    );
  return coming.length;
}

function reportFault(log: EventLog, fault: unknown): string {
  const report = randomUUID();
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  log.write({ level: "error", event: "fault", text: `fault ${report}\n${text}`, fields: { report, stack: text } });
  return report;
}
