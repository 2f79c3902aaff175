import { randomUUID } from "node:crypto";
import { isDone } from "../../account/transaction.ts";
import type { SandboxSettings } from "../../config/config-schema.ts";
import { stackOf } from "../../domain/message-of.ts";
import type { World } from "../../engine/world.ts";
import { type RunningSandbox, startSandbox, type StartOptions } from "../../sandbox/start-sandbox.ts";
import type { Credentials } from "../../sandbox/https.ts";
import { StoreOutage } from "../../ports/journal-store.ts";
import type { ExitCode } from "../cli-error.ts";
import { type EventLog, eventLog, explainTlsFailure } from "../event-log.ts";
import { openPorts, type Ports, prepareCredentials, type SecurePort } from "../serve/open-ports.ts";
import type { Command } from "../command.ts";
import { count } from "../output.ts";
import { INLINE_VARIABLE, SERVE_FLAGS, SERVE_SETTINGS } from "../serve/serve-flags.ts";
import { expectServeOptions, type GoodOptions } from "../serve/serve-options.ts";
import { openState, type State } from "../serve/serve-state.ts";
import type { Terminal } from "../terminal.ts";
import type { Watch } from "../serve/watch-scenarios.ts";

/** Runs the sandbox until it is interrupted. */
export const serve: Command = {
  name: "serve",
  about: [
    "Run the sandbox until it is stopped. A flag wins over its environment variable, and a variable over the config file.",
    `These variables have no flag: ${SERVE_SETTINGS.flatMap(({ flag, variables }) => (flag === undefined ? variables : [])).join(", ")},`,
    `and ${INLINE_VARIABLE} with the config's text.`,
  ].join(" "),
  flags: SERVE_FLAGS,
  examples: [
    "kredo serve",
    "kredo serve --scenario magic-numbers --callback-url http://localhost:3000/hooks",
    "kredo serve --clock manual --seed 7",
  ],
  docs: "docs/quick-start.md",
  async run(args, terminal) {
    const options = expectServeOptions(args, terminal);
    const credentials = await prepareCredentials(options.settings, terminal.env);
    const state = await openState(options.state, terminal.files);
    try {
      return await serveUntilInterrupted({ options, state, credentials }, terminal);
    } finally {
      await state.close();
    }
  },
};

interface Serving {
  readonly options: GoodOptions;
  readonly state: State;
  readonly credentials: Credentials | undefined;
}

async function serveUntilInterrupted({ options, state, credentials }: Serving, terminal: Terminal): Promise<ExitCode> {
  const interruption = terminal.interruption();
  const log = eventLog(options.settings, terminal);
  const running = await startSandbox(options.settings, {
    overrideGlobals: true,
    scenarios: options.scenarios.map(({ scenario }) => scenario),
    report: (fault) => reportFault(log, fault),
    ...(credentials && { ca: credentials.ca }),
    ...state.journals,
    ...replicaOptions(state, options.settings, log),
  });
  running.world.observe(log.witness);
  running.findings.observe(log.onFinding);
  const ports = await openPorts(running, options.settings, {
    credentials,
    onTlsFailure: (code) => log.write(explainTlsFailure(code)),
  });
  announce(log, running, { ports, options, state });
  for (const warning of [...warnOfOpenControl(options.settings), ...state.warnings])
    log.write({ level: "warn", event: "notice", text: warning, fields: () => ({}) });
  await (options.watch ? watchOrReport({ ...options, running, log }, terminal, interruption) : aborted(interruption));
  const code = await stop(running, ports, log);
  await state.leave(running.world);
  return code;
}

function replicaOptions(
  state: State,
  { replicas: { url, lease, wait } }: SandboxSettings,
  log: EventLog,
): Pick<StartOptions, "replica"> {
  if (state.shared === undefined) return {};
  const note = (text: string): void => log.write({ level: "warn", event: "notice", text, fields: () => ({}) });
  return {
    replica: {
      ...state.shared,
      ...(url !== undefined && { url: url.replace(/\/$/, "") }),
      lease,
      patience: wait,
      log: note,
    },
  };
}

/** Without a token, anybody who can reach the port can read secrets and move money. */
function warnOfOpenControl({ host, admin }: SandboxSettings): string[] {
  if (admin.token !== undefined || isLoopback(host)) return [];
  return [
    `warning: the control API is open to everyone who can reach ${host}, secrets included; set KREDO_ADMIN_TOKEN, or publish the port on 127.0.0.1 alone (docs/security.md)`,
  ];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

interface AnnounceOptions {
  readonly ports: Ports;
  readonly options: Serving["options"];
  readonly state: State;
}

/** Logs the sandbox's address, and what a client needs to call it. */
function announce(
  log: EventLog,
  running: RunningSandbox,
  { ports, options: { configFile, settings }, state }: AnnounceOptions,
): void {
  const { http, secure } = ports;
  const { url } = http;
  const { key, seed, lines: account } = describeFirst(running, settings);
  const lines = [
    `Kredo sandbox   ${url}`,
    ...(secure === undefined
      ? []
      : [`HTTPS           ${secure.listening.url}`, `to trust it     ${trustLine(secure, url)}`]),
    ...account,
    ...(configFile === undefined ? [] : [`config          ${configFile}`]),
    ...state.lines,
    "Ready.",
  ];
  // Without the secret, because logs are stored. The lines above are for the user who started it.
  const found = { url, https_url: secure?.listening.url, ca_file: secure?.credentials.caFile };
  const fields = () => ({ ...found, consumer_key: key, seed, config: configFile, text: "Ready." });
  if (secure?.credentials.warning !== undefined)
    log.write({ level: "warn", event: "notice", text: secure.credentials.warning, fields: () => ({}) });
  log.write({ level: "info", event: "ready", text: lines.join("\n"), fields });
  log.flush();
}

interface FirstAccount {
  readonly key: string;
  readonly seed: number | undefined;
  readonly lines: readonly string[];
}

/** Describes the default account, or its settings if another replica may own it. */
function describeFirst({ world, ownership }: RunningSandbox, { accounts }: SandboxSettings): FirstAccount {
  const [first] = accounts;
  const { settings, seed } =
    ownership === undefined ? world.get("default").state : { settings: first, seed: first.seed };
  const { airtime, sms } = settings.callbacks.urls;
  const hasUrl = airtime !== undefined || sms !== undefined;
  const lines = [
    `consumer key    ${settings.consumer_key}`,
    `consumer secret ${settings.consumer_secret}`,
    `callbacks       ${hasUrl ? `airtime ${shown(airtime?.url)}, sms ${shown(sms?.url)}` : "no URL yet: kredo callbacks URL, or kredo listen"}`,
    ...(seed === undefined ? [] : [`seed            ${seed}`]),
    ...(ownership === undefined ? [] : [`replica         ${ownership.self.id} at ${ownership.self.url}`]),
  ];
  return { key: settings.consumer_key, seed, lines };
}

/** Describes how clients trust the certificate: the variable for Node, and the file for others. */
function trustLine({ credentials: { caFile } }: SecurePort, url: string): string {
  return caFile === undefined
    ? `the certificate at ${url}/ca.pem`
    : `NODE_EXTRA_CA_CERTS=${caFile}, or the certificate at ${url}/ca.pem`;
}

/** Hides a URL's query and password, which are often secret. */
function shown(url: string | undefined): string {
  return url === undefined ? "none" : url.replace(/\?.*$/, "?…").replace(/\/\/[^/]*@/, "//…@");
}

/** Watches scenario files. Errors are logged and do not end the sandbox. */
async function watchOrReport(
  watch: Omit<Watch, "files" | "pause"> & { log: EventLog },
  { files, pause }: Terminal,
  stopping: AbortSignal,
): Promise<void> {
  const { watchScenarios } = await import("../serve/watch-scenarios.ts");
  await watchScenarios({ ...watch, files, pause }, stopping).catch((fault: unknown) => reportFault(watch.log, fault));
  await aborted(stopping);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function stop(running: RunningSandbox, ports: Ports, log: EventLog): Promise<ExitCode> {
  await running.leave();
  await ports.drain();
  await running.close();
  await ports.close();
  const left = countUndelivered(running.world);
  const text =
    running.ownership === undefined ? describeLeft(left) : "Stopped; the accounts are left to the other replicas.";
  log.write({ level: "info", event: "notice", text, fields: () => ({ undelivered: left }) });
  log.flush();
  return 0;
}

function describeLeft(left: number): string {
  return left === 0
    ? "Stopped; every callback was delivered or given up."
    : `Stopped with ${count(left, "callback")} undelivered.`;
}

/** Counts undelivered callbacks, ignoring operations without a callback URL. */
function countUndelivered(world: World): number {
  const coming = world
    .list()
    .flatMap(({ state }) =>
      [...state.transactions.values()].filter(
        (transaction) =>
          !isDone(transaction) && state.settings.callbacks.urls[transaction.accepted.order.operation] !== undefined,
      ),
    );
  return coming.length;
}

function reportFault(log: EventLog, fault: unknown): string {
  const report = randomUUID();
  if (fault instanceof StoreOutage) {
    log.write({
      level: "error",
      event: "store_outage",
      text: fault.message,
      fields: () => ({ report, text: fault.message }),
    });
    return report;
  }
  const text = stackOf(fault);
  log.write({
    level: "error",
    event: "fault",
    text: `fault ${report}\n${text}`,
    fields: () => ({ report, stack: text }),
  });
  return report;
}
