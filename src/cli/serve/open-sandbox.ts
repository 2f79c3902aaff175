import { randomUUID } from "node:crypto";
import { type Listening, PortInUseError } from "../../gateway/adapters/server/node-server.ts";
import type { Unreadable } from "../../gateway/adapters/server/unreadable.ts";
import type { SandboxSettings } from "../../config.ts";
import { messageOf, stackOf } from "../../gateway/domain/message-of.ts";
import type { HttpsCredentials } from "../../tls/https.ts";
import { type RunningSandbox, startSandbox, type StartOptions } from "../../sandbox.ts";
import { UnusableFile } from "../../storage/journal/node-sqlite.ts";
import { JoinFailure } from "../../gateway/serve-app.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { CliError } from "../terminal/cli-error.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";
import { unreadableLog } from "../log/unreadable-log.ts";

/** A sandbox that runs as long as a command. */
export interface OwnSandbox extends AsyncDisposable {
  readonly url: string;
  /** Only with HTTPS. */
  readonly secure?: TlsPort;
  /** The control API's token. With it, callbacks may be sent anywhere. */
  readonly adminToken: string;
  readonly running: RunningSandbox;
}

/**
 * Starts a sandbox in this process, in which every account starts with these scenarios. Its control API always requires a token. What never
 * becomes a request is printed, and passed to `onUnreadable`. Throws a CliError if its port cannot be opened.
 */
export async function startOwnSandbox(
  settings: SandboxSettings,
  scenarios: readonly Scenario[],
  terminal: Terminal,
  onUnreadable: (unreadable: Unreadable) => void = () => {},
): Promise<OwnSandbox> {
  const adminToken = settings.admin.token ?? randomUUID();
  const { stderr, env } = terminal;
  const own = { ...settings, admin: { ...settings.admin, token: adminToken } };
  const print = unreadableLog((entry) => printLines(stderr, [entry.text()]), terminal, settings.https?.port);
  const { running, ports, secure } = await openSandbox(own, env, {
    scenarios,
    report: (fault) => {
      const report = randomUUID();
      printLines(stderr, [`fault ${report}`, stackOf(fault)]);
      return report;
    },
    onStarted: () => {},
    onUnreadable: (unreadable) => {
      print(unreadable);
      onUnreadable(unreadable);
    },
  });
  return {
    url: ports[0].url,
    secure,
    adminToken,
    running,
    async [Symbol.asyncDispose]() {
      await running.close();
      for (const port of ports) await port.close();
    },
  };
}

/** Returns the variables by which a command finds a sandbox. */
export function environmentOf({ url, secure, adminToken, running }: OwnSandbox): Record<string, string> {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return {
    KREDO_URL: url,
    KREDO_BASE_URL: `${url}/api/v2`,
    KREDO_CONSUMER_KEY: consumerKey,
    KREDO_CONSUMER_SECRET: consumerSecret,
    KREDO_ADMIN_TOKEN: adminToken,
    ...(secure && { KREDO_HTTPS_URL: secure.listening.url }),
    ...(secure?.credentials.caFile !== undefined && { KREDO_CA_FILE: secure.credentials.caFile }),
  };
}

/** A sandbox that listens. */
export interface OpenSandbox {
  readonly running: RunningSandbox;
  /** HTTP first. */
  readonly ports: readonly [Listening, ...Listening[]];
  /** Only with HTTPS. */
  readonly secure?: TlsPort;
}

export interface TlsPort {
  readonly listening: Listening;
  readonly credentials: HttpsCredentials;
}

interface OpenOptions extends Omit<StartOptions, "overrideGlobals" | "ca"> {
  /** Called before anything can happen in the sandbox. */
  readonly onStarted: (running: RunningSandbox) => void;
}

/** Starts a sandbox and opens its ports. Throws a CliError, with everything closed, if the CA or a port cannot be used. */
export async function openSandbox(
  settings: SandboxSettings,
  env: Terminal["env"],
  { onStarted, ...start }: OpenOptions,
): Promise<OpenSandbox> {
  const { port, host, https } = settings;
  const credentials = await prepareCredentials(settings, env);
  const running = await startSandbox(settings, { ...start, overrideGlobals: true, ca: credentials?.ca });
  onStarted(running);
  const http = await listenOrFail(running, { port, host }, "--port");
  if (https === undefined || credentials === undefined) return { running, ports: [http] };
  try {
    const listening = await listenOrFail(running, { port: https.port, host, tls: credentials.server }, "--https-port");
    return { running, ports: [http, listening], secure: { listening, credentials } };
  } catch (error) {
    await http.close();
    throw error;
  }
}

/** Returns the TLS credentials if the settings enable HTTPS. */
async function prepareCredentials(
  settings: SandboxSettings,
  env: Terminal["env"],
): Promise<HttpsCredentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { AuthorityProblem, prepareHttps } = await import("../../tls/https.ts");
  try {
    return await prepareHttps(settings.https, settings.host, env);
  } catch (error) {
    throw error instanceof AuthorityProblem ? new CliError(2, error.message) : error;
  }
}

async function listenOrFail(
  running: RunningSandbox,
  at: Parameters<RunningSandbox["listen"]>[0],
  flag: string,
): Promise<Listening> {
  try {
    return await running.listen(at);
  } catch (error) {
    await running.close();
    if (error instanceof JoinFailure) throw explainJoin(error);
    const place = `Port ${at.port} on ${at.host}`;
    if (error instanceof PortInUseError) {
      const [{ isSandboxThere }, { reachable }] = await Promise.all([
        import("../client/client.ts"),
        import("../client/target.ts"),
      ]);
      const isSandbox = await isSandboxThere(`http://${reachable(at.host)}:${at.port}`);
      const [user, repair] = isSandbox ? [" by a running sandbox", "stop it"] : ["", "stop the program that uses it"];
      throw new CliError(
        3,
        `${place} is in use${user}: ${repair}, or choose another with ${flag} (0 takes a free one).`,
      );
    }
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EACCES")
      throw new CliError(3, `${place} is not allowed for this user: choose one above 1023 with ${flag}.`);
    const problem = `Cannot listen on ${at.host} port ${at.port} (${messageOf(error)})`;
    throw new CliError(3, `${problem}: write an address of this machine with --host.`);
  }
}

/** A fault of the database is told as such, and an address of another replica as a wrong flag. Anything else is our bug. */
function explainJoin({ message, cause }: JoinFailure): unknown {
  if (cause instanceof UnusableFile) return new CliError(2, `--replica-url: ${message}.`);
  const isOfDatabase = cause instanceof StoreOutage || (cause instanceof Error && "code" in cause);
  if (!isOfDatabase) return cause;
  return new CliError(3, `Cannot join the other replicas (${message}): start again once the database can be used.`);
}
