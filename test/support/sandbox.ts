import type * as z from "zod";
import { configSchema } from "../../src/config.ts";
import { type RunningSandbox, type StartOptions, startSandbox } from "../../src/sandbox.ts";
import { listenForTest, type TestGateway } from "./gateway/test-gateway.ts";

/** What stands in a config file. */
export type WrittenConfig = z.input<typeof configSchema>;

export interface TestSandbox extends TestGateway {
  readonly running: RunningSandbox;
}

/** A whole sandbox on a free port: seed 1 and a manual clock, unless the config says otherwise. */
export async function startTestSandbox(
  config: WrittenConfig = {},
  ports: Pick<StartOptions, "stored" | "pause" | "scenarios" | "store" | "wall" | "ca" | "ownership"> = {},
): Promise<TestSandbox> {
  const settings = configSchema.parse({ seed: 1, clock: "manual", ...config });
  return listenForTest((hooks) => startSandbox(settings, { overrideGlobals: false, ...hooks, ...ports }));
}
