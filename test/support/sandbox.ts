import type * as z from "zod";
import { configSchema } from "../../src/config.ts";
import type { Account } from "../../src/gateway/engine/account.ts";
import { type RunningSandbox, type StartOptions, startSandbox } from "../../src/sandbox.ts";
import { RawClient } from "./gateway/raw-client.ts";

/** What stands in a config file. */
export type WrittenConfig = z.input<typeof configSchema>;

export interface TestSandbox extends AsyncDisposable {
  readonly running: RunningSandbox;
  /** The default account. */
  readonly account: Account;
  readonly port: number;
  /** Faults of the sandbox itself; the first one's report is called report-1. */
  readonly faults: unknown[];
  connect(): Promise<RawClient>;
}

/** A whole sandbox on a free port: seed 1 and a manual clock, unless the config says otherwise. */
export async function startTestSandbox(
  config: WrittenConfig = {},
  ports: Pick<StartOptions, "stored" | "pause" | "scenarios" | "store" | "wall" | "ca" | "ownership"> = {},
): Promise<TestSandbox> {
  const faults: unknown[] = [];
  const settings = configSchema.parse({ seed: 1, clock: "manual", ...config });
  const running = await startSandbox(settings, {
    overrideGlobals: false,
    report: (fault) => `report-${faults.push(fault)}`,
    ...ports,
  });
  const listening = await running.listen({ port: 0, host: "127.0.0.1" });
  return {
    running,
    account: running.world.get("default"),
    port: listening.port,
    faults,
    connect: () => RawClient.connect(listening.port),
    async [Symbol.asyncDispose]() {
      await running.close();
      await listening.close();
    },
  };
}

/** The Authorization header of a key and a secret (RFC 7617). */
export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
}

/** The Authorization header of the default account. */
export const AUTHORIZATION = basic("sandbox-key", "sandbox-secret");
