import { randomUUID } from "node:crypto";
import { configSchema } from "../config/config-schema.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import type { Listening } from "../adapters/node-server.ts";
import { type Simulator, startSimulator } from "../simulator.ts";
import type { Scenario } from "../domain/scenario.ts";
import { Halt } from "./halt.ts";
import { explainListenFailure } from "./listen-failure.ts";
import { printLines, type Terminal } from "./terminal.ts";

/** A sandbox that lives as long as a verb does. */
export interface OwnSandbox extends AsyncDisposable {
  readonly url: string;
  /** What its control API asks for: whoever started it may have callbacks sent anywhere. */
  readonly adminToken: string;
  readonly simulator: Simulator;
}

/** A long rehearsal is judged by its whole journal. */
const JOURNAL = { max_transactions: 100_000, max_bytes: 256 * 1024 * 1024 };

/** Starts a sandbox in this process, with no scenario. Halts when its port cannot be had. */
export function startOwnSandbox(at: { port: number; host: string }, terminal: Terminal): Promise<OwnSandbox> {
  const settings = resolveSettings(configSchema.parse({ ...at, journal: JOURNAL, scenarios: [] }));
  return startSandboxWith({ settings, scenarios: [] }, terminal);
}

/** The same, as it is configured; its control API asks for a token in any case. */
export async function startSandboxWith({ settings, scenarios }: Configured, terminal: Terminal): Promise<OwnSandbox> {
  const adminToken = settings.adminToken ?? randomUUID();
  const simulator = await startSimulator(
    { ...settings, adminToken },
    { overrideGlobals: true, scenarios, report: (fault) => reportFault(fault, terminal) },
  );
  const listening = await listenOrHalt(simulator, settings);
  return {
    url: listening.url,
    adminToken,
    simulator,
    async [Symbol.asyncDispose]() {
      await simulator.close();
      await listening.close();
    },
  };
}

interface Configured {
  readonly settings: SandboxSettings;
  /** What every account begins with. */
  readonly scenarios: readonly Scenario[];
}

async function listenOrHalt(simulator: Simulator, { port, host }: SandboxSettings): Promise<Listening> {
  try {
    return await simulator.listen({ port, host });
  } catch (error) {
    await simulator.close();
    throw new Halt(3, explainListenFailure(error, port, host));
  }
}

function reportFault(fault: unknown, { stderr }: Terminal): string {
  const report = randomUUID();
  printLines(stderr, [`fault ${report}`, fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)]);
  return report;
}
