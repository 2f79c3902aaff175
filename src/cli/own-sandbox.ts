import { randomUUID } from "node:crypto";
import { configSchema } from "../config/config-schema.ts";
import { resolveSettings } from "../config/resolve-settings.ts";
import type { SandboxSettings } from "../config/sandbox-settings.ts";
import type { Listening } from "../adapters/node-server.ts";
import { type Simulator, startSimulator } from "../simulator.ts";
import { Halt } from "./halt.ts";
import { explainListenFailure } from "./listen-failure.ts";
import { printLines, type Terminal } from "./terminal.ts";

/** A sandbox that lives as long as a verb does. */
export interface OwnSandbox extends AsyncDisposable {
  readonly url: string;
  /** What its control API asks for: whoever started it may have callbacks sent anywhere. */
  readonly adminToken: string;
}

/** A long rehearsal is judged by its whole journal. */
const JOURNAL = { max_transactions: 100_000, max_bytes: 256 * 1024 * 1024 };

/** Starts a sandbox in this process, with no scenario. Halts when its port cannot be had. */
export async function startOwnSandbox(at: { port: number; host: string }, terminal: Terminal): Promise<OwnSandbox> {
  const adminToken = randomUUID();
  const settings = resolveSettings(configSchema.parse({ ...at, admin: { token: adminToken }, journal: JOURNAL, scenarios: [] }));
  const simulator = await startSimulator(settings, {
    overrideGlobals: true,
    report: (fault) => reportFault(fault, terminal),
  });
  const listening = await listenOrHalt(simulator, settings);
  return {
    url: listening.url,
    adminToken,
    async [Symbol.asyncDispose]() {
      await simulator.close();
      await listening.close();
    },
  };
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
