import { createUndiciTransport } from "./adapters/delivery/undici-transport.ts";
import { openShippedScenarios } from "./adapters/files/shipped-scenarios.ts";
import { memoryJournalStore } from "./adapters/memory-journal-store.ts";
import { seededRandom } from "./adapters/random/seeded-random.ts";
import { systemClock } from "./adapters/time/system-clock.ts";
import { systemPause } from "./adapters/time/system-pause.ts";
import { accountOpener } from "./account-opener.ts";
import { World } from "./engine/world.ts";
import { createApp } from "./http/app.ts";
import { ExchangeLog } from "./http/exchanges.ts";
import type { CallbackTransport } from "./ports/callback-transport.ts";
import type { Pause, WallClock } from "./ports/wall-clock.ts";
import type { Scenario } from "./scenario/schema.ts";
import { controllerForMany, type Served, serveApp } from "./serve-app.ts";
import type { MockSettings } from "./settings/mock.ts";

/** What a gateway needs besides its settings. */
export interface OpenOptions {
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
  /** The scenarios that every account starts with. Defaults to none. */
  readonly scenarios?: readonly Scenario[];
  /** The wall clock of the accounts. Defaults to the system clock. */
  readonly wall?: WallClock;
  /** Delays responses to clients. Defaults to wall time. */
  readonly pause?: Pause;
  /** Sends callbacks. Defaults to the network. */
  readonly transport?: CallbackTransport;
}

/** A gateway whose accounts are open, and which listens where it is told. */
export interface OpenGateway extends Served {
  readonly world: World;
  /** Stops clocks, callbacks and streams. Resolves to the number of transactions that still had work pending. */
  close(): Promise<number>;
}

/** Builds a gateway from its parts, with journals in memory, and opens its accounts. */
export async function openGateway(settings: MockSettings, options: OpenOptions): Promise<OpenGateway> {
  const { report, scenarios = [], wall = systemClock(), pause = systemPause() } = options;
  const { gateway, journal: bounds, max_rules: maxRules, callback_allow: callbackAllow, seed, accounts } = settings;
  const random = seededRandom();
  const { transport = createUndiciTransport({ callbackAllow, now: () => wall.now() }) } = options;
  const ports = { store: memoryJournalStore(), wall, random, transport, report };
  const world = new World({ gateway, bounds, maxRules, ...ports }, { seed });
  const reserve = async (key: string): Promise<boolean> => world.find(key) === undefined;
  const opener = accountOpener(world, settings, { random, scenarios, reserve });
  for (const template of accounts) await opener.openReserved(template);

  const stopping = controllerForMany();
  const shipped = await openShippedScenarios();
  const waiting = { stopping: stopping.signal, pause };
  const app = createApp({
    ...opener,
    ...waiting,
    maxPending: settings.max_pending,
    world,
    report,
    shipped,
    exchanges: new ExchangeLog(stopping.signal, report),
  });
  return { world, ...serveApp(app, world, { report }), close: () => closeAll(stopping, world, [transport]) };
}

/** Stops waits, clocks and connections, in this order. Resolves to the number of transactions that still had work pending. */
export async function closeAll(
  stopping: AbortController,
  world: World,
  connections: readonly { close(): Promise<void> }[],
): Promise<number> {
  stopping.abort();
  const left = world.close();
  for (const connection of connections) await connection.close();
  return left;
}
