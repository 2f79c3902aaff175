import { randomUUID } from "node:crypto";
import { once } from "node:events";
import module from "node:module";
import { settingsInForce } from "../../gateway/account/state.ts";
import { isPending } from "../../gateway/account/transaction.ts";
import type { SandboxSettings } from "../../config.ts";
import { stackOf } from "../../gateway/domain/message-of.ts";
import type { World } from "../../gateway/engine/world.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { Overload } from "../../gateway/http/capacity.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { RunningSandbox, StartOptions } from "../../sandbox.ts";
import type { ExitCode } from "../terminal/cli-error.ts";
import type { Command } from "../terminal/command.ts";
import { type EventLog, eventLog } from "../log/event-log.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { type OpenSandbox, openSandbox, type TlsPort } from "../../open-sandbox.ts";
import { explainUnopened } from "../serve/own-sandbox.ts";
import { INLINE_VARIABLE, SERVE_FLAGS, SERVE_SETTINGS } from "../config/serve-flags.ts";
import { expectServeOptions, type GoodOptions } from "../serve/serve-options.ts";
import { maskUrl, startWarnings } from "../serve/start-warnings.ts";
import { openState, type State } from "../serve/serve-state.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { unreadableLog } from "../log/unreadable-log.ts";

const WITHOUT_FLAG = SERVE_SETTINGS.flatMap(({ flag, variables }) => (flag === undefined ? variables : []));

/** Runs the sandbox until it is interrupted. */
export const command: Command = {
  name: "serve",
  about: [
    "Run the sandbox until it is stopped. A flag wins over its environment variable, and a variable over the config file.",
    `These variables have no flag: ${WITHOUT_FLAG.join(", ")}, and ${INLINE_VARIABLE} with the config's text.`,
  ].join(" "),
  flags: SERVE_FLAGS,
  examples: [
    "kredo serve",
    "kredo serve --callback-url http://localhost:3000/hooks",
    "kredo serve --scenario bad-afternoon --clock manual --seed 7",
  ],
  async run(args, terminal) {
    const options = await expectServeOptions(args, terminal);
    const state = await openState(options.state, terminal.files);
    try {
      return await serveUntilInterrupted(options, state, terminal);
    } finally {
      await state.close();
    }
  },
};

async function serveUntilInterrupted(options: GoodOptions, state: State, terminal: Terminal): Promise<ExitCode> {
  const { settings } = options;
  const interruption = terminal.interruption();
  const log = eventLog(settings, terminal);
  const sandbox = await openSandbox(settings, {
    env: terminal.env,
    explain: explainUnopened,
    overrideGlobals: true,
    scenarios: options.scenarios.map(({ scenario }) => scenario),
    report: (fault) => reportFault(log, fault),
    onStarted: ({ world, findings }) => {
      world.observe(log.onEvent);
      findings.observe(log.onFinding);
    },
    onUnreadable: unreadableLog((entry) => log.write(entry), terminal, settings.https?.port),
    ...state.journals,
    ...replicaOptions(state, settings, log),
  });
  announce(log, sandbox, options, state);
  for (const warning of [...startWarnings(settings, sandbox.running, terminal.env), ...state.warnings])
    log.notice("warn", warning);
  keepCompiledCode();
  if (options.watch) await watch(options, sandbox.running, log, terminal, interruption);
  if (!interruption.aborted) await once(interruption, "abort");
  await stop(sandbox, log);
  await state.leave(sandbox.running.world);
  return 0;
}

/** Node writes its compile cache when a process ends by itself. A sandbox is often killed, so it writes what it has compiled so far. */
function keepCompiledCode(): void {
  // Node 22.10 and newer.
  const flush = "flushCompileCache" in module ? module.flushCompileCache : undefined;
  if (typeof flush === "function") setTimeout(() => flush(), FIRST_REQUESTS_MILLIS).unref();
}

/** Until then, the first requests have compiled what requests need. */
const FIRST_REQUESTS_MILLIS = SECOND;

function replicaOptions(state: State, settings: SandboxSettings, log: EventLog): Pick<StartOptions, "replica"> {
  if (state.shared === undefined) return {};
  const { url, lease, wait } = settings.replicas;
  const note = (text: string): void => log.notice("warn", text);
  return { replica: { ...state.shared, url: url?.replace(/\/$/, ""), lease, patience: wait, log: note } };
}

/** Logs the sandbox's address, and what a client needs to call it. */
function announce(log: EventLog, sandbox: OpenSandbox, options: GoodOptions, state: State): void {
  const { configFile, settings, portPlace } = options;
  const { running, ports, secure } = sandbox;
  const [{ url }] = ports;
  const { key, seed, lines: account } = describeFirst(running, settings);
  const tls =
    secure === undefined
      ? []
      : [`HTTPS           ${secure.listening.url}`, `to trust it     ${trustLine(secure, url)}`];
  const config = configFile === undefined ? [] : [`config          ${configFile}`];
  const lines = [
    `Kredo sandbox   ${url}${portPlace === "PORT" ? ", the port from the variable PORT" : ""}`,
    ...tls,
    ...account,
    `profile         ${settings.gateway.profile}`,
    ...config,
    ...state.lines,
    "Ready.",
  ];
  // Without the secret, because logs are stored. The lines above are for the user who started it.
  const found = { url, https_url: secure?.listening.url, ca_file: secure?.credentials.caFile };
  const fields = () => ({ ...found, consumer_key: key, seed, config: configFile, text: "Ready." });
  if (secure?.credentials.warning !== undefined) log.notice("warn", secure.credentials.warning);
  log.write({ level: "info", event: "ready", text: () => lines.join("\n"), fields });
  log.flush();
}

/** Describes the default account, or its settings if another replica may own it. */
function describeFirst({ world, ownership }: RunningSandbox, { accounts }: SandboxSettings) {
  const [first] = accounts;
  const state = ownership === undefined ? world.get("default").state : undefined;
  const settings = state === undefined ? first : settingsInForce(state);
  const { seed } = state ?? first;
  const { airtime, sms } = settings.callbacks.urls;
  const urls =
    airtime === undefined && sms === undefined
      ? "no URL yet: kredo callbacks URL, or kredo listen"
      : `airtime ${maskUrl(airtime?.url)}, sms ${maskUrl(sms?.url)}`;
  const lines = [
    `consumer key    ${settings.consumer_key}`,
    `consumer secret ${settings.consumer_secret}`,
    `callbacks       ${urls}`,
    ...(seed === undefined ? [] : [`seed            ${seed}`]),
    ...(ownership === undefined ? [] : [`replica         ${ownership.self.id} at ${ownership.self.url}`]),
  ];
  return { key: settings.consumer_key, seed, lines };
}

/** Describes how clients trust the certificate: the variable for Node, and the file for others. */
function trustLine({ credentials: { caFile } }: TlsPort, url: string): string {
  const certificate = `the certificate at ${url}/ca.pem`;
  return caFile === undefined ? certificate : `NODE_EXTRA_CA_CERTS=${caFile}, or ${certificate}`;
}

/** Watches scenario files. Errors are logged and do not end the sandbox. */
async function watch(
  { scenarios }: GoodOptions,
  running: RunningSandbox,
  log: EventLog,
  { files, pause }: Terminal,
  stopping: AbortSignal,
): Promise<void> {
  const { watchScenarios } = await import("../serve/watch-scenarios.ts");
  const watching = watchScenarios({ running, scenarios, files, pause, log }, stopping);
  await watching.catch((fault: unknown) => reportFault(log, fault));
}

async function stop({ running, ports }: OpenSandbox, log: EventLog): Promise<void> {
  await running.leave();
  await Promise.all(ports.map((port) => port.drain()));
  await running.close();
  await Promise.all(ports.map((port) => port.close()));
  const left = countUndelivered(running.world);
  const ownText =
    left === 0
      ? "Stopped; every callback was delivered or given up."
      : `Stopped with ${counted(left, "callback")} undelivered.`;
  const text = running.ownership === undefined ? ownText : "Stopped; the accounts are left to the other replicas.";
  log.notice("info", text, { undelivered: left });
  log.flush();
}

/** Counts undelivered callbacks, ignoring operations without a callback URL. */
function countUndelivered(world: World): number {
  const left = world.list().flatMap(({ state }) => {
    const { urls } = settingsInForce(state).callbacks;
    const transactions = [...state.transactions.values()].filter(isPending);
    return transactions.filter(({ accepted: { order } }) => urls[order.operation] !== undefined);
  });
  return left.length;
}

function reportFault(log: EventLog, fault: unknown): string {
  const report = randomUUID();
  if (fault instanceof StoreOutage || fault instanceof Overload) {
    const { message: text } = fault;
    const [level, event] =
      fault instanceof Overload ? (["warn", "overload"] as const) : (["error", "store_outage"] as const);
    log.write({ level, event, text: () => text, fields: () => ({ report }) });
    return report;
  }
  const stack = stackOf(fault);
  log.write({
    level: "error",
    event: "fault",
    text: () => `fault ${report}\n${stack}`,
    fields: () => ({ report, text: `fault ${report}`, stack }),
  });
  return report;
}
