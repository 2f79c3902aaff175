import { randomUUID } from "node:crypto";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import { type Simulator, startSimulator } from "../simulator.ts";
import type { Scenario } from "../domain/scenario.ts";
import { explainTlsFailure } from "./log-tls.ts";
import { openPorts, prepareCredentials, type SecurePort } from "./open-ports.ts";
import { printLines, type Terminal } from "./terminal.ts";

/** A sandbox that lives as long as a verb does. */
export interface OwnSandbox extends AsyncDisposable {
  readonly url: string;
  /** With HTTPS alone. */
  readonly secure?: SecurePort;
  /** What its control API asks for: whoever started it may have callbacks sent anywhere. */
  readonly adminToken: string;
  readonly simulator: Simulator;
}

/** Starts one in this process; its control API asks for a token in any case. Halts when its port cannot be had. */
export async function startSandboxWith({ settings, scenarios }: Configured, terminal: Terminal): Promise<OwnSandbox> {
  const adminToken = settings.adminToken ?? randomUUID();
  const credentials = await prepareCredentials(settings, terminal.env);
  const simulator = await startSimulator(
    { ...settings, adminToken },
    { overrideGlobals: true, scenarios, report: (fault) => reportFault(fault, terminal), ...(credentials && { ca: credentials.ca }) },
  );
  const onTlsFailure = (code: string): void => printLines(terminal.stderr, [explainTlsFailure(code).text]);
  const ports = await openPorts(simulator, settings, { credentials, onTlsFailure });
  return {
    url: ports.http.url,
    ...(ports.secure && { secure: ports.secure }),
    adminToken,
    simulator,
    async [Symbol.asyncDispose]() {
      await simulator.close();
      await ports.close();
    },
  };
}

interface Configured {
  readonly settings: SandboxSettings;
  /** What every account begins with. */
  readonly scenarios: readonly Scenario[];
}

function reportFault(fault: unknown, { stderr }: Terminal): string {
  const report = randomUUID();
  printLines(stderr, [`fault ${report}`, fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)]);
  return report;
}
