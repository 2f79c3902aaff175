/**
 * The mock, complete in itself: the gateway's endpoints, accounts with their wallets, scenarios, time and callbacks. It imports nothing
 * outside src/gateway.
 */

import * as z from "zod";
import type { World } from "./engine/world.ts";
import { openGateway } from "./open-gateway.ts";
import { DEFAULT_SCENARIO } from "./settings/defaults.ts";
import { HOST, PORT } from "./settings/defaults.ts";
import { mockSettings, mockShape } from "./settings/mock.ts";
import { openShippedScenarios } from "./adapters/files/shipped-scenarios.ts";
import type { ScenarioLibrary } from "./scenario/scenario-library.ts";
import type { Scenario } from "./scenario/schema.ts";

export const gatewayOptions = z
  .strictObject({
    ...mockShape,
    port: z.int().min(0).max(65_535).default(PORT),
    host: z.string().default(HOST),
    scenarios: z.array(z.string()).default([DEFAULT_SCENARIO]),
  })
  .transform(({ port, host, scenarios, ...mock }) => ({ port, host, scenarios, ...mockSettings(mock) }));

/** The keys of a config file that concern the mock alone. Every key is optional; `scenarios` names shipped ones. */
export type GatewayOptions = z.input<typeof gatewayOptions>;

export interface RunningGateway extends AsyncDisposable {
  /** The URL for clients on this machine, without a trailing slash. */
  readonly url: string;
  readonly world: World;
  /** Resolves when the port is free again. */
  close(): Promise<void>;
}

/** Starts the mock alone: the gateway's three endpoints, their accounts in memory, and callbacks. Logs unexpected errors with `report`. */
export async function startGateway(
  options: GatewayOptions = {},
  report: (fault: unknown) => string = () => "",
): Promise<RunningGateway> {
  const { port, host, scenarios: names, ...settings } = gatewayOptions.parse(options);
  const shipped = await openShippedScenarios();
  const scenarios = names.map((name) => findShipped(name, shipped));
  const gateway = await openGateway(settings, { report, scenarios });
  const listening = await gateway.listen({ port, host });
  const close = async (): Promise<void> => {
    await gateway.close();
    await listening.close();
  };
  return { url: listening.url, world: gateway.world, close, [Symbol.asyncDispose]: close };
}

function findShipped(name: string, shipped: ScenarioLibrary): Scenario {
  const scenario = shipped.find(name);
  if (scenario !== undefined) return scenario;
  throw new Error(`no shipped scenario is called ${name}; write one of ${shipped.names().join(", ")}`);
}
