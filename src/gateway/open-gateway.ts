import type { Hono } from "hono";
import { createUndiciTransport } from "./adapters/delivery/undici-transport.ts";
import { openShippedScenarios } from "./adapters/files/shipped-scenarios.ts";
import { memoryJournalStore } from "./adapters/memory-journal-store.ts";
import { seededRandom } from "./adapters/random/seeded-random.ts";
import type { Listening } from "./adapters/server/node-server.ts";
import type { Unreadable } from "./adapters/server/unreadable.ts";
import { systemClock } from "./adapters/time/system-clock.ts";
import { systemPause } from "./adapters/time/system-pause.ts";
import { type AccountOpener, accountOpener } from "./account-opener.ts";
import type { JournalSlice } from "./account/readings/journal-slice.ts";
import type { RunningAccount, StoredAccount } from "./engine/account.ts";
import { World } from "./engine/world.ts";
import { createApp } from "./http/app.ts";
import type { AuthDependencies } from "./http/authenticate.ts";
import type { Bindings, GatewayEnv } from "./http/bindings.ts";
import { ExchangeLog } from "./http/exchanges.ts";
import type { ResponseTiming } from "./http/respond.ts";
import type { CallbackTransport } from "./ports/callback-transport.ts";
import type { JournalStore } from "./ports/journal-store.ts";
import type { Pause, WallClock } from "./ports/wall-clock.ts";
import type { Scenario } from "./scenario/schema.ts";
import { controllerForMany, type Served, serveApp } from "./serve-app.ts";
import type { Organization } from "./settings/account-settings.ts";
import type { MockSettings } from "./settings/mock.ts";

/** What a gateway needs besides its settings. */
export interface GatewayParts {
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
  /** The scenarios that every account starts with, first priority first. Defaults to none. */
  readonly scenarios?: readonly Scenario[];
  /** The wall clock of the accounts. Defaults to the system clock. */
  readonly wall?: WallClock;
  /** Delays responses to clients. Defaults to wall time. */
  readonly pause?: Pause;
  /** Sends callbacks. Defaults to the network. */
  readonly transport?: CallbackTransport;
  /** Where journals are stored, and the accounts that an earlier process stored there. Defaults to memory and no accounts. */
  readonly store?: JournalStore;
  readonly stored?: readonly StoredAccount[];
  /** Set if several processes share the accounts. */
  readonly sharing?: Sharing;
  /** Rejects with `NotTheOwner` if another process owns the account. Defaults to accepting that none does. */
  readonly expectNotElsewhere?: AuthDependencies["expectNotElsewhere"];
  /** Called with each account that is opened or resumed, before anything happens to it, and the journal that it resumes. */
  readonly onOpened?: (account: RunningAccount, past: JournalSlice | undefined) => void;
  /** Returns the routes before the gateway's endpoints. Defaults to none. */
  readonly extend?: (parts: OpenParts) => Promise<Hono<GatewayEnv>>;
  /** Called with what a client sent that never becomes a request. Defaults to doing nothing. */
  readonly onUnreadable?: (unreadable: Unreadable) => void;
  /** Speeds up Node's listener by replacing the global Request and Response. Only for a process that runs nothing but a sandbox. */
  readonly overrideGlobals?: boolean;
}

/** How a process gets its part of the accounts that several processes share. */
export interface Sharing {
  /** Called with the accounts of this process, none at first. */
  connect(world: World, seed: number | undefined, report: (fault: unknown) => void): void;
  /** Joins the others once this process is listening, then opens the accounts that none of them owns. */
  join(at: Listening, openAccounts: () => Promise<void>): Promise<void>;
}

/** The parts of a gateway that an extension may use. */
export interface OpenParts extends ResponseTiming {
  readonly world: World;
  readonly opener: AccountOpener;
  readonly store: JournalStore;
  readonly transport: CallbackTransport;
  readonly exchanges: ExchangeLog;
  readonly report: (fault: unknown) => string;
  /** Handles a request as if its client were connected here. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
}

/** A gateway whose accounts are open, and which listens where it is told. */
export interface OpenGateway extends Served, Pick<OpenParts, "world" | "opener"> {
  /** Sends delayed acknowledgments at once, and delays no more. */
  readonly finishNow: () => void;
  /** Stops clocks, callbacks and streams. Resolves to the number of transactions that still had work pending. */
  readonly close: () => Promise<number>;
}

/** Puts the mock together and opens its accounts; those that several processes share are opened once it listens. */
export async function openGateway(settings: MockSettings, parts: GatewayParts): Promise<OpenGateway> {
  const { report, scenarios = [], wall = systemClock(), pause = systemPause(), store = memoryJournalStore() } = parts;
  const { gateway, journal: bounds, max_rules: maxRules, callback_allow: callbackAllow, seed } = settings;
  const { transport = createUndiciTransport({ callbackAllow, now: () => wall.now() }) } = parts;
  const { sharing, stored, onOpened, overrideGlobals, onUnreadable, expectNotElsewhere } = parts;
  const random = seededRandom();
  const world = new World(
    { gateway, bounds, maxRules, onOpened, store, wall, random, transport, report },
    { seed, stored, isShared: sharing !== undefined },
  );
  sharing?.connect(world, seed, report);
  const reserve = async (key: string): Promise<boolean> => (await store.begin(key)) && world.find(key) === undefined;
  const opener = accountOpener(world, settings, { random, scenarios, reserve });
  const openAccounts = (): Promise<void> => openEach(settings.accounts, { world, reserve, opener });
  if (sharing === undefined) await openAccounts();

  const stopping = controllerForMany();
  const finishNow = controllerForMany();
  const common = { world, report, pause, stopping: stopping.signal, finishNow: finishNow.signal };
  const exchanges = new ExchangeLog(stopping.signal, report);
  const fetch: OpenParts["fetch"] = (request, bindings) => app.fetch(request, bindings);
  const routes = await parts.extend?.({ ...common, opener, store, transport, exchanges, fetch });
  const shipped = await openShippedScenarios();
  const maxPending = settings.max_pending;
  const app = createApp(
    { ...opener, ...common, expectNotElsewhere, exchanges, shipped, maxPending, organizationOf },
    routes,
  );
  const join = sharing && ((at: Listening) => sharing.join(at, openAccounts));
  return {
    world,
    opener,
    ...serveApp(app, world, { report, overrideGlobals, onUnreadable, join }),
    finishNow: () => finishNow.abort(),
    close: async () => {
      stopping.abort();
      const left = world.close();
      await transport.close();
      return left;
    },
  };
}

interface OpeningParts extends Pick<OpenParts, "world" | "opener"> {
  readonly reserve: (consumerKey: string) => Promise<boolean>;
}

/** Accounts stored by an earlier process resume as they were, even if the settings have changed. */
async function openEach(templates: MockSettings["accounts"], { world, reserve, opener }: OpeningParts): Promise<void> {
  for (const template of templates)
    if (world.resume(template.consumer_key) === undefined && (await reserve(template.consumer_key)))
      opener.openReserved(template);
  world.resumeAll();
}

/** Faker is loaded when first asked for: it takes a tenth of a start. */
async function organizationOf({ state, gateway }: RunningAccount): Promise<Organization> {
  const organizations = await import("./adapters/random/organization.ts");
  return organizations.organizationOf(state.settings, gateway);
}
