import { explainIssues } from "./document/explain-issues.ts";
import { formatMistake, formatPath } from "./document/problem.ts";
import { configSchema, type SandboxSettings } from "./config/config-schema.ts";
import type { Scenario } from "./scenario/schema.ts";
import { type Listening, type RunningSandbox, startSandbox } from "./sandbox/start-sandbox.ts";
import type { Credentials as HttpsCredentials } from "./sandbox/https.ts";
import { loadScenarios } from "./sandbox/scenarios.ts";
import { Account, type Credentials } from "./testing/account.ts";
import { accountPath, ControlClient, type ControlTarget } from "./control-client/control-client.ts";
import { openAccount } from "./testing/open-account.ts";
import type { AccountOptions, SandboxOptions } from "./testing/options.ts";
import { reportOnStderr, warnInProcess } from "./testing/report.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "./testing/account.ts";
export { ControlError } from "./control-client/control-client.ts";
export type { AccountOptions, SandboxOptions } from "./testing/options.ts";
export type * from "./control-client/shapes.ts";

/** HTTPS of a sandbox in this process. */
export interface SecurePort {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** The certificate to trust, as PEM text; of an authority for this sandbox alone, unless `https.ca_folder` keeps one. */
  readonly ca: string;
}

interface Ports {
  readonly https: SecurePort | undefined;
  readonly stop: () => Promise<void>;
}

/** A sandbox in this process, and its default account. `close`, or `await using`, frees the port and cancels every timer. */
export class Sandbox extends Account implements AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Where it takes HTTPS and the certificate to trust as PEM text, where the options asked for it. */
  readonly https: SecurePort | undefined;
  readonly #control: ControlTarget;
  readonly #stop: () => Promise<void>;

  constructor(credentials: Credentials, control: ControlTarget, { https, stop }: Ports) {
    super(credentials, new ControlClient(control, accountPath("default")));
    this.url = control.url;
    this.https = https;
    this.#control = control;
    this.#stop = stop;
  }

  /** A fresh account, with credentials and a profile of its own where the options name none. */
  account(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, options);
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

/**
 * Starts a sandbox in this process. Throws a TypeError that names every wrong option; a scenario's rule that can never match, and the
 * like, is a warning of the process (`KredoWarning`).
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = readOptions(options);
  const { scenarios, warnings } = readScenarios(options);
  const credentials = await prepareCredentials(settings);
  if (credentials?.warning !== undefined) warnings.push(credentials.warning);
  warnings.forEach(warnInProcess);
  const ca = credentials && { ca: credentials.ca };
  const running = await startSandbox(settings, { overrideGlobals: false, report: reportOnStderr, scenarios, ...ca });
  const ports = await listenOn(running, settings, credentials);
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  const { token } = settings.admin;
  const control = {
    url: ports.url,
    send: (request: Request) => running.fetch(request),
    ...(token !== undefined && { adminToken: token }),
  };
  return new Sandbox({ consumerKey, consumerSecret }, control, ports);
}

function readOptions(options: SandboxOptions): SandboxSettings {
  const read = configSchema.safeParse({ port: 0, ...options }, { reportInput: true });
  if (read.success) return read.data;
  throw new TypeError(
    explainIssues(read.error.issues, configSchema)
      .map((wrong) => formatMistake(formatPath(wrong.path), wrong))
      .join("\n"),
  );
}

/** Paths are counted from the working directory. */
function readScenarios({ scenarios }: SandboxOptions): { scenarios: Scenario[]; warnings: string[] } {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems, warnings } = loadScenarios(wanted);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return { scenarios: loaded.map(({ scenario }) => scenario), warnings: [...warnings] };
}

/** The library is loaded with the first sandbox that asks for HTTPS. */
async function prepareCredentials(settings: SandboxSettings): Promise<HttpsCredentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { prepareHttps } = await import("./sandbox/https.ts");
  return prepareHttps(settings.https, settings);
}

/** Rejects when a port cannot be had, with nothing left open. */
async function listenOn(
  running: RunningSandbox,
  { port, host, https }: SandboxSettings,
  credentials: HttpsCredentials | undefined,
): Promise<Ports & { url: string }> {
  const open: Listening[] = [];
  const stopAll = (): Promise<void> => stop(running, open);
  try {
    open.push(await running.listen({ port, host }));
    // A client's own error says what came of its handshake.
    const tls = credentials && { ...credentials.server, onFailure: () => {} };
    if (https !== undefined && tls !== undefined) open.push(await running.listen({ port: https.port, host, tls }));
  } catch (error) {
    await stopAll();
    throw error;
  }
  const [plain = "", secure] = open.map(({ url }) => url);
  const isSecure = secure !== undefined && credentials !== undefined;
  return { url: plain, https: isSecure ? { url: secure, ca: credentials.ca } : undefined, stop: stopAll };
}

async function stop(running: RunningSandbox, listening: readonly Listening[]): Promise<void> {
  await running.close();
  await Promise.all(listening.map((one) => one.close()));
}
