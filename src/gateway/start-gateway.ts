/**
 * The mock, complete in itself: the gateway's endpoints, accounts with their wallets, scenarios, time and callbacks. It imports nothing
 * outside src/gateway.
 */

import { setMaxListeners } from "node:events";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import * as z from "zod";
import { createUndiciTransport } from "./adapters/delivery/undici-transport.ts";
import { memoryJournalStore } from "./adapters/memory-journal-store.ts";
import { seededRandom } from "./adapters/random/seeded-random.ts";
import { listen, type RequestListener } from "./adapters/server/node-server.ts";
import { systemClock } from "./adapters/time/system-clock.ts";
import { systemPause } from "./adapters/time/system-pause.ts";
import { World } from "./engine/world.ts";
import { createApp, refuseUnreadable } from "./http/app.ts";
import type { GatewayEnv } from "./http/connection.ts";
import { ExchangeLog } from "./http/exchanges.ts";
import { ConnectionBroken } from "./http/respond.ts";
import { DEFAULT_SCENARIO } from "./scenario/running-scenario.ts";
import { HOST, PORT } from "./settings/defaults.ts";
import { mockSettings, mockShape } from "./settings/mock.ts";
import { accountOpener } from "./account-opener.ts";
import type { ScenarioLibrary } from "./ports/scenario-library.ts";
import type { Scenario } from "./scenario/schema.ts";
import { openShippedScenarios } from "./adapters/files/shipped-scenarios.ts";

const gatewayOptions = z
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
  const { gateway, journal: bounds, callback_allow: callbackAllow, seed, accounts } = settings;
  const [wall, random] = [systemClock(), seededRandom()];
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const ports = { store: memoryJournalStore(), wall, random, transport, report };
  const world = new World({ gateway, bounds, ...ports }, { seed });
  const reserve = async (key: string): Promise<boolean> => world.find(key) === undefined;
  const shipped = await openShippedScenarios();
  const scenarios = names.map((name) => findShipped(name, shipped));
  const opener = accountOpener(world, settings, { random, scenarios, reserve });
  for (const template of accounts) await opener.openReserved(template);

  const stopping = controllerForMany();
  const waiting = { stopping: stopping.signal, pause: systemPause() };
  const exchanges = new ExchangeLog();
  const app = createApp({ ...opener, ...waiting, world, report, exchanges, shipped });
  const listening = await listen(requestListener(app, world, report), { port, host });
  world.wake();
  const close = async (): Promise<void> => {
    stopping.abort();
    world.close();
    await transport.close();
    await listening.close();
  };
  return { url: listening.url, world, close, [Symbol.asyncDispose]: close };
}

function findShipped(name: string, shipped: ScenarioLibrary): Scenario {
  const scenario = shipped.find(name);
  if (scenario !== undefined) return scenario;
  throw new Error(`no shipped scenario is called ${name}; write one of ${shipped.names().join(", ")}`);
}

/** Every open stream listens to this signal. With its default limit, Node would report the eleventh listener as a leak. */
export function controllerForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Lets an app answer the requests of a Node server. Replacing the global Request and Response makes that faster, but is only for a process
 * that runs nothing but a sandbox.
 */
export function requestListener(
  app: Hono<GatewayEnv>,
  world: World,
  report: (fault: unknown) => void,
  overrideGlobalObjects = false,
): RequestListener {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects,
    // Used for HTTP/1.0 requests, which may omit Host.
    hostname: "localhost",
    errorHandler: (fault) => {
      if (fault instanceof RequestError) return refuseUnreadable(world.freshId());
      if (fault instanceof ConnectionBroken) return undefined;
      // Even the app's error handler could not answer.
      report(fault);
      return new Response(null, { status: 500 });
    },
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}
