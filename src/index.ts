import { explainIssues } from "./document/explain-issues.ts";
import { formatMistake, formatPath } from "./document/problem.ts";
import { configSchema } from "./config/config-schema.ts";
import { resolveSettings } from "./config/resolve-settings.ts";
import type { SandboxSettings } from "./config/sandbox-settings.ts";
import type { Scenario } from "./domain/scenario.ts";
import { type Listening, type Simulator, startSimulator } from "./simulator.ts";
import type { Credentials as HttpsCredentials } from "./simulator-https.ts";
import { filesOnDisk, loadScenarios } from "./simulator-scenarios.ts";
import { Account, type Credentials } from "./testing/account.ts";
import { ControlClient, type ControlTarget } from "./testing/control-client.ts";
import { openAccount } from "./testing/open-account.ts";
import type { AccountOptions, SandboxOptions } from "./testing/options.ts";
import { reportOnStderr, warnInProcess } from "./testing/report.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "./testing/account.ts";
export { ControlError } from "./testing/control-client.ts";
export type { AccountOptions, SandboxOptions } from "./testing/options.ts";
export type * from "./testing/shapes.ts";

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
    super(credentials, new ControlClient(control, "/__admin/accounts/default/"));
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
  const simulator = await startSimulator(settings, { overrideGlobals: false, report: reportOnStderr, scenarios, ...ca });
  const ports = await listenOn(simulator, settings, credentials);
  const { consumerKey, consumerSecret } = simulator.world.get("default").state.settings;
  const { adminToken } = settings;
  const control = {
    url: ports.url,
    send: (request: Request) => simulator.fetch(request),
    ...(adminToken === undefined ? {} : { adminToken }),
  };
  return new Sandbox({ consumerKey, consumerSecret }, control, ports);
}

function readOptions(options: SandboxOptions): SandboxSettings {
  const read = configSchema.safeParse({ port: 0, ...options }, { reportInput: true });
  if (read.success) return resolveSettings(read.data);
  throw new TypeError(
    explainIssues(read.error.issues, configSchema)
      .map((wrong) => formatMistake(formatPath(wrong.path), wrong))
      .join("\n"),
  );
}

/** Paths are counted from the working directory. */
function readScenarios({ scenarios }: SandboxOptions): { scenarios: Scenario[]; warnings: string[] } {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems, warnings } = loadScenarios(wanted, filesOnDisk);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return { scenarios: loaded.map(({ scenario }) => scenario), warnings: [...warnings] };
}

/** The library is loaded with the first sandbox that asks for HTTPS. */
async function prepareCredentials(settings: SandboxSettings): Promise<HttpsCredentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { prepareHttps } = await import("./simulator-https.ts");
  return prepareHttps(settings.https, settings);
}

/** Rejects when a port cannot be had, with nothing left open. */
async function listenOn(
  simulator: Simulator,
  { port, host, https }: SandboxSettings,
  credentials: HttpsCredentials | undefined,
): Promise<Ports & { url: string }> {
  const open: Listening[] = [];
  const stopAll = (): Promise<void> => stop(simulator, open);
  try {
    open.push(await simulator.listen({ port, host }));
    // A client's own error says what came of its handshake.
    const tls = credentials && { ...credentials.server, onFailure: () => {} };
    if (https !== undefined && tls !== undefined) open.push(await simulator.listen({ port: https.port, host, tls }));
  } catch (error) {
    await stopAll();
    throw error;
  }
  const [plain = "", secure] = open.map(({ url }) => url);
  const isSecure = secure !== undefined && credentials !== undefined;
  return { url: plain, https: isSecure ? { url: secure, ca: credentials.ca } : undefined, stop: stopAll };
}

async function stop(simulator: Simulator, listening: readonly Listening[]): Promise<void> {
  await simulator.close();
  await Promise.all(listening.map((one) => one.close()));
}
