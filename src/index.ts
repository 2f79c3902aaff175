import { explainIssues } from "./document/explain-issues.ts";
import { formatMistake, formatPath } from "./document/problem.ts";
import { configSchema, type SandboxSettings } from "./config/config-schema.ts";
import type { Scenario } from "./scenario/schema.ts";
import { type Listening, type RunningSandbox, startSandbox } from "./sandbox/start-sandbox.ts";
import type { Credentials as HttpsCredentials } from "./sandbox/https.ts";
import { loadScenarios } from "./sandbox/scenarios.ts";
import { PortInUseError } from "./testing/errors.ts";
import type { SandboxOptions } from "./testing/options.ts";
import { Sandbox, type SecurePort } from "./testing/sandbox.ts";
import { reportOnStderr } from "./testing/report.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "./testing/account.ts";
export { connectSandbox } from "./testing/connect-sandbox.ts";
export { PortInUseError, SandboxClosedError, SandboxUnreachableError } from "./testing/errors.ts";
export { Sandbox, type SecurePort } from "./testing/sandbox.ts";
export { ControlError } from "./control-client/control-client.ts";
export type { AccountOptions, SandboxOptions } from "./testing/options.ts";
export type * from "./control-client/shapes.ts";
export type * from "./control-client/verdict-shapes.ts";

/** Ports that are open, and how they are closed. */
interface Ports {
  readonly https: SecurePort | undefined;
  readonly stop: () => Promise<void>;
}

/** Starts a sandbox in this process. Throws a TypeError that names every wrong option. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = readOptions(options);
  const scenarios = readScenarios(options);
  const credentials = await prepareCredentials(settings);
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
  return new Sandbox({ control, account: "default", credentials: { consumerKey, consumerSecret }, ...ports });
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
function readScenarios({ scenarios }: SandboxOptions): Scenario[] {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems } = loadScenarios(wanted);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return loaded.map(({ scenario }) => scenario);
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
    open.push(await listenOrExplain(running, { port, host }, "port"));
    // A client's own error says what came of its handshake.
    const tls = credentials && { ...credentials.server, onFailure: () => {} };
    if (https !== undefined && tls !== undefined)
      open.push(await listenOrExplain(running, { port: https.port, host, tls }, "https.port"));
  } catch (error) {
    await stopAll();
    throw error;
  }
  const [plain = "", secure] = open.map(({ url }) => url);
  const isSecure = secure !== undefined && credentials !== undefined;
  return { url: plain, https: isSecure ? { url: secure, ca: credentials.ca } : undefined, stop: stopAll };
}

async function listenOrExplain(
  running: RunningSandbox,
  at: Parameters<RunningSandbox["listen"]>[0],
  option: string,
): Promise<Listening> {
  try {
    return await running.listen(at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new PortInUseError(`port ${at.port} on ${at.host} is in use; set ${option} to 0 to take a free one`, {
      cause: error,
    });
  }
}

async function stop(running: RunningSandbox, listening: readonly Listening[]): Promise<void> {
  await running.close();
  await Promise.all(listening.map((one) => one.close()));
}
