import { randomUUID } from "node:crypto";
import { stackOf } from "../../domain/message-of.ts";
import type { SandboxSettings } from "../../config/config-schema.ts";
import { type RunningSandbox, startSandbox } from "../../sandbox/start-sandbox.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { explainTlsFailure } from "../event-log.ts";
import { openPorts, prepareCredentials, type SecurePort } from "./open-ports.ts";
import { printLines, type Terminal } from "../terminal.ts";

/** A sandbox that runs as long as a command. */
export interface OwnSandbox extends AsyncDisposable {
  readonly url: string;
  /** Only with HTTPS. */
  readonly secure?: SecurePort;
  /** The control API's token. With it, callbacks may be sent anywhere. */
  readonly adminToken: string;
  readonly running: RunningSandbox;
}

/** Starts a sandbox in this process. Its control API always requires a token. Throws a CliError if its port cannot be opened. */
export async function startSandboxWith(
  { settings, scenarios }: SandboxConfig,
  terminal: Terminal,
): Promise<OwnSandbox> {
  const adminToken = settings.admin.token ?? randomUUID();
  const credentials = await prepareCredentials(settings, terminal.env);
  const running = await startSandbox(
    { ...settings, admin: { ...settings.admin, token: adminToken } },
    {
      overrideGlobals: true,
      scenarios,
      report: (fault) => reportFault(fault, terminal),
      ...(credentials && { ca: credentials.ca }),
    },
  );
  const onTlsFailure = (code: string): void => printLines(terminal.stderr, [explainTlsFailure(code).text]);
  const ports = await openPorts(running, settings, { credentials, onTlsFailure });
  return {
    url: ports.http.url,
    ...(ports.secure && { secure: ports.secure }),
    adminToken,
    running,
    async [Symbol.asyncDispose]() {
      await running.close();
      await ports.close();
    },
  };
}

interface SandboxConfig {
  readonly settings: SandboxSettings;
  /** The scenarios that every account starts with. */
  readonly scenarios: readonly Scenario[];
}

function reportFault(fault: unknown, { stderr }: Terminal): string {
  const report = randomUUID();
  printLines(stderr, [`fault ${report}`, stackOf(fault)]);
  return report;
}
