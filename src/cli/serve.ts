import { randomUUID } from "node:crypto";
import { isDone } from "../account/transaction.ts";
import { readBuilt } from "../adapters/shipped-files.ts";
import type { Config } from "../config/config-schema.ts";
import type { Outline } from "../document/outline.ts";
import type { World } from "../engine/world.ts";
import { type Simulator, startSimulator } from "../simulator.ts";
import type { Credentials } from "../simulator-https.ts";
import { builtScenarios } from "../simulator-shipped.ts";
import { type EventLog, eventLog } from "./event-log.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { explainTlsFailure } from "./log-tls.ts";
import { openPorts, type Ports, prepareCredentials, type SecurePort } from "./open-ports.ts";
import { readGoodOptions } from "./good-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import { openState, type State } from "./serve-state.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Watch } from "./watch-scenarios.ts";

/** Runs the sandbox until it is interrupted. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const options = await readOptions(words, terminal);
  printLines(
    terminal.stderr,
    options.warnings.map((warning) => `warning: ${warning}`),
  );
  if ("problems" in options) throw new Halt(2, options.problems.join("\n"));
  const credentials = await prepareCredentials(options.settings, terminal.env);
  const state = await openState(options.state, terminal.files);
  try {
    return await serveUntilInterrupted({ options, state, credentials }, terminal);
  } finally {
    state.close();
  }
}

/** What a build has not prepared, or is not plainly good, is read by what can say why. */
async function readOptions(argv: readonly string[], { env, files }: Terminal): Promise<ServeOptions> {
  const outline = builtOutline();
  const good = outline && readGoodOptions({ argv, env, files }, { outline, shipped: builtScenarios });
  return good ?? (await import("./serve-options.ts")).readServeOptions(argv, env, files);
}

function builtOutline(): Outline<Config> | undefined {
  const text = readBuilt("config-outline.json");
  return text === undefined ? undefined : JSON.parse(text);
}

interface Serving {
  readonly options: Extract<ServeOptions, { settings: unknown }>;
  readonly state: State;
  readonly credentials: Credentials | undefined;
}

async function serveUntilInterrupted({ options, state, credentials }: Serving, terminal: Terminal): Promise<ExitCode> {
  const interruption = terminal.interruption();
  const log = eventLog(options.settings, terminal);
  const simulator = await startSimulator(options.settings, {
    overrideGlobals: true,
    scenarios: options.scenarios.map(({ scenario }) => scenario),
    report: (fault) => reportFault(log, fault),
    ...(credentials && { ca: credentials.ca }),
    ...(state.journals && { store: state.journals.store, kept: state.journals.kept }),
  });
  simulator.world.observe(log.witness);
  simulator.findings.observe(log.findingWitness);
  const ports = await openPorts(simulator, options.settings, { credentials, onTlsFailure: (code) => log.write(explainTlsFailure(code)) });
  announce(log, simulator, { ports, configFile: options.configFile, state });
  for (const warning of state.warnings) log.write({ level: "warn", event: "notice", text: warning, fields: () => ({}) });
  await (options.watch ? watchOrReport({ ...options, simulator, log }, terminal, interruption) : aborted(interruption));
  const code = await stop(simulator, ports, log);
  await state.leave(simulator.world);
  return code;
}

interface Announced {
  readonly ports: Ports;
  readonly configFile: string | undefined;
  readonly state: State;
}

/** Where the sandbox is, and what a client needs to call it. */
function announce(log: EventLog, { world }: Simulator, { ports, configFile, state }: Announced): void {
  const { settings, seed } = world.get("default").state;
  const { http, secure } = ports;
  const { url } = http;
  const { airtime, sms } = settings.callbacks.urls;
  const lines = [
    `Kredo sandbox   ${url}`,
    ...(secure === undefined ? [] : [`HTTPS           ${secure.listening.url}`, `to trust it     ${trustLine(secure, url)}`]),
    `consumer key    ${settings.consumerKey}`,
    `consumer secret ${settings.consumerSecret}`,
    `callbacks       ${[airtime, sms].some((target) => target !== undefined) ? `airtime ${shown(airtime?.url)}, sms ${shown(sms?.url)}` : "no URL yet: kredo listen, --callback-url, or the control API"}`,
    `seed            ${seed}`,
    ...(configFile === undefined ? [] : [`config          ${configFile}`]),
    ...state.lines,
    "Ready.",
  ];
  // Without the secret: this is kept where logs are kept, the lines above are for who started it.
  const found = { url, https_url: secure?.listening.url, ca_file: secure?.credentials.caFile };
  const fields = () => ({ ...found, consumer_key: settings.consumerKey, seed, config: configFile, text: "Ready." });
  if (secure?.credentials.warning !== undefined)
    log.write({ level: "warn", event: "notice", text: secure.credentials.warning, fields: () => ({}) });
  log.write({ level: "info", event: "ready", text: lines.join("\n"), fields });
  log.flush();
}

/** What a Node client is started with; other clients take the same file, or what is served. */
function trustLine({ credentials: { caFile } }: SecurePort, url: string): string {
  return caFile === undefined ? `the certificate at ${url}/ca.pem` : `NODE_EXTRA_CA_CERTS=${caFile}, or the certificate at ${url}/ca.pem`;
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
  const { watchScenarios } = await import("./watch-scenarios.ts");
  await watchScenarios({ ...watch, files, pause }, stopping).catch((fault: unknown) => reportFault(watch.log, fault));
  await aborted(stopping);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function stop(simulator: Simulator, ports: Ports, log: EventLog): Promise<ExitCode> {
  await simulator.close();
  await ports.close();
  const left = countUndelivered(simulator.world);
  const text =
    left === 0
      ? "Stopped; every callback was delivered or given up."
      : `Stopped with ${left} ${left === 1 ? "callback" : "callbacks"} undelivered.`;
  log.write({ level: "info", event: "notice", text, fields: () => ({ undelivered: left }) });
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
  log.write({ level: "error", event: "fault", text: `fault ${report}\n${text}`, fields: () => ({ report, stack: text }) });
  return report;
}
