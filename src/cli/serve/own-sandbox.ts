import { randomUUID } from "node:crypto";
import { type ListenAt, PortInUseError } from "../../gateway/adapters/server/node-server.ts";
import type { Unreadable } from "../../gateway/adapters/server/unreadable.ts";
import type { SandboxSettings } from "../../config.ts";
import { messageOf, stackOf } from "../../gateway/domain/message-of.ts";
import { type OpenSandbox, openSandbox } from "../../open-sandbox.ts";
import { UnusableFile } from "../../storage/journal/node-sqlite.ts";
import { JoinFailure } from "../../gateway/serve-app.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { CliError } from "../terminal/cli-error.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";
import { unreadableLog } from "../log/unreadable-log.ts";

/** A sandbox that runs as long as a command. */
export interface OwnSandbox extends AsyncDisposable, Pick<OpenSandbox, "running" | "secure"> {
  readonly url: string;
  /** The control API's token. With it, callbacks may be sent anywhere. */
  readonly adminToken: string;
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
  const { running, ports, secure, close } = await openSandbox(own, {
    env,
    explain: explainUnopened,
    overrideGlobals: true,
    scenarios,
    report: (fault) => {
      const report = randomUUID();
      printLines(stderr, [`fault ${report}`, stackOf(fault)]);
      return report;
    },
    onUnreadable: (unreadable) => {
      print(unreadable);
      onUnreadable(unreadable);
    },
  });
  return { url: ports[0].url, secure, adminToken, running, [Symbol.asyncDispose]: close };
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

/** Explains why a sandbox cannot be opened, as a CliError if whoever started it can change that. */
export async function explainUnopened(error: unknown, at?: ListenAt): Promise<unknown> {
  if (at === undefined) {
    const { AuthorityProblem } = await import("../../tls/https.ts");
    return error instanceof AuthorityProblem ? new CliError(2, error.message) : error;
  }
  if (error instanceof JoinFailure) return explainJoin(error);
  const flag = at.tls === undefined ? "--port" : "--https-port";
  const place = `Port ${at.port} on ${at.host}`;
  if (error instanceof PortInUseError) {
    const { isSandboxRunning } = await import("../client/client.ts");
    const { reachable } = await import("../client/target.ts");
    const isSandbox = await isSandboxRunning(`http://${reachable(at.host)}:${at.port}`);
    const [user, repair] = isSandbox ? [" by a running sandbox", "stop it"] : ["", "stop the program that uses it"];
    return new CliError(
      3,
      `${place} is in use${user}: ${repair}, or choose another with ${flag} (0 takes a free one).`,
    );
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES")
    return new CliError(3, `${place} is not allowed for this user: choose one above 1023 with ${flag}.`);
  const problem = `Cannot listen on ${at.host} port ${at.port} (${messageOf(error)})`;
  return new CliError(3, `${problem}: write an address of this machine with --host.`);
}

/** A fault of the database is told as such, and an address of another replica as a wrong flag. Anything else is our bug. */
function explainJoin({ message, cause }: JoinFailure): unknown {
  if (cause instanceof UnusableFile) return new CliError(2, `--replica-url: ${message}.`);
  const isOfDatabase = cause instanceof StoreOutage || (cause instanceof Error && "code" in cause);
  if (!isOfDatabase) return cause;
  return new CliError(3, `Cannot join the other replicas (${message}): start again once the database can be used.`);
}
