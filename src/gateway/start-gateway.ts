/**
 * The mock, complete in itself: the gateway's endpoints, accounts with their wallets, scenarios, time and callbacks. It imports nothing
 * outside src/gateway.
 */

import * as z from "zod";
import { openShippedScenarios } from "./adapters/files/shipped-scenarios.ts";
import type { RequestRow } from "./account/readings/requests.ts";
import { parseOptions, WrongOptions } from "./document/parse-options.ts";
import { startStackAtCall } from "./trim-stack.ts";
import { amountValue, durationValue } from "./document/values.ts";
import { SECOND } from "./domain/time.ts";
import type { Advanced } from "./engine/advance.ts";
import type { RunningAccount } from "./engine/account.ts";
import { topUp } from "./engine/commands.ts";
import { openGateway } from "./open-gateway.ts";
import type { ScenarioLibrary } from "./scenario/scenario-library.ts";
import type { Scenario } from "./scenario/schema.ts";
import { DEFAULT_SCENARIO, HOST } from "./settings/defaults.ts";
import { mockSettings, mockShape } from "./settings/mock.ts";

export const gatewayOptions = z
  .strictObject({
    ...mockShape,
    port: z.int().min(0).max(65_535).default(0).describe("The port to listen on; 0 takes a free one. Default 0."),
    host: z.string().default(HOST).describe(`The address to listen on. Default ${HOST}.`),
    scenarios: z
      .array(z.string())
      .default([DEFAULT_SCENARIO])
      .describe(`The shipped scenarios that every account starts with. Default [${DEFAULT_SCENARIO}].`),
  })
  .transform(({ port, host, scenarios, ...mock }) => ({ port, host, scenarios, ...mockSettings(mock) }));

/** The keys of a config file that concern the mock alone. Every key is optional; `port` 0 takes a free one, `scenarios` names shipped ones. */
export type GatewayOptions = z.input<typeof gatewayOptions>;

/**
 * A running gateway. Calls about an account take its consumer key last, and concern the first account without one. What they return has the
 * names of the journal's events; moments are milliseconds since 1970, amounts cents.
 */
export interface Gateway extends AsyncDisposable {
  /** The URL for clients on this machine, without a trailing slash. */
  readonly url: string;
  /** Answers a request in this process, as the port would. */
  fetch(request: Request): Promise<Response>;
  /** Advances a manual clock by a duration such as "10m". Resolves to what happened, once every due callback has been answered. */
  advance(by: string, consumerKey?: string): Promise<Advanced>;
  /** Resolves to whether nothing is queued, due or in flight within 30 s; on a manual clock, to whether nothing is left to become due. */
  drain(consumerKey?: string): Promise<boolean>;
  /** Adds money to the wallet, such as "500.00". */
  topUp(amount: string, consumerKey?: string): void;
  /** The requests of an account and how they were answered, oldest first. */
  requests(consumerKey?: string): readonly RequestRow[];
  /** Resolves when the port is free again; every later call is refused. `await using` calls this automatically. */
  close(): Promise<void>;
}

/** How long `advance` and `drain` wait for receivers. */
const WITHIN = 30 * SECOND;

/**
 * Starts the mock alone in this process: the gateway's three endpoints, their accounts in memory, and callbacks. `report` gets unexpected
 * errors, and returns the id that the client reads. Throws a TypeError that names every wrong option.
 */
export async function startGateway(
  options: GatewayOptions = {},
  report: (fault: unknown) => string = () => "",
): Promise<Gateway> {
  try {
    return await open(parseOptions(gatewayOptions, options), report);
  } catch (error) {
    throw startStackAtCall(error, startGateway);
  }
}

async function open(
  { port, host, scenarios: names, ...settings }: z.output<typeof gatewayOptions>,
  report: (fault: unknown) => string,
): Promise<Gateway> {
  const shipped = await openShippedScenarios();
  const scenarios = names.map((name) => findShipped(name, shipped));
  const { world, fetch, listen, close: stop } = await openGateway(settings, { report, scenarios });
  const listening = await listen({ port, host }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { url } = listening;
  let closing: Promise<void> | undefined;
  const expectOpen = (): void => {
    if (closing !== undefined) throw new Error(`the gateway at ${url} was closed; make calls before close()`);
  };
  const accountOf = (consumerKey = "default"): RunningAccount => {
    expectOpen();
    return world.get(consumerKey);
  };
  const close = (): Promise<void> => (closing ??= stop().then(() => listening.close()));
  return {
    url,
    fetch: async (request) => {
      expectOpen();
      return fetch(request);
    },
    advance: async (by, consumerKey) => accountOf(consumerKey).advance({ by: parseOptions(durationValue, by) }, WITHIN),
    drain: async (consumerKey) => accountOf(consumerKey).drain(WITHIN),
    topUp: (amount, consumerKey) => topUp(accountOf(consumerKey), parseOptions(amountValue, amount)),
    requests: (consumerKey) => accountOf(consumerKey).journal.index.requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function findShipped(name: string, shipped: ScenarioLibrary): Scenario {
  const scenario = shipped.find(name);
  if (scenario !== undefined) return scenario;
  throw new WrongOptions(`no shipped scenario is called ${name}; write one of ${shipped.names().join(", ")}`);
}
