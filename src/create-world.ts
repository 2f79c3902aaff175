import { memoryJournalStore } from "./gateway/adapters/memory-journal-store.ts";
import { createUndiciTransport } from "./gateway/adapters/delivery/undici-transport.ts";
import { seededRandom } from "./gateway/adapters/random/seeded-random.ts";
import type { Listening } from "./gateway/adapters/server/node-server.ts";
import { systemClock } from "./gateway/adapters/time/system-clock.ts";
import type { JournalSlice } from "./gateway/account/readings/journal-slice.ts";
import type { SandboxSettings } from "./config.ts";
import type { RunningAccount, StoredAccount } from "./gateway/engine/account.ts";
import { LiveFindings } from "./verdict/live-findings.ts";
import { World } from "./gateway/engine/world.ts";
import { WATCHERS } from "./verdict/checks/all-checks.ts";
import type { FindingsOptions } from "./verdict/checks/findings.ts";
import type { CallbackTransport } from "./gateway/ports/callback-transport.ts";
import type { JournalStore, StoreOutage } from "./gateway/ports/journal-store.ts";
import type { WallClock } from "./gateway/ports/wall-clock.ts";
import type { Scenario } from "./gateway/scenario/schema.ts";
import { type AccountOpener, accountOpener } from "./gateway/account-opener.ts";
import type { RunningReplica, ReplicaOptions, ReplicaParts } from "./storage/replicas/replica.ts";

export interface WorldOptions {
  readonly report: (fault: unknown) => void;
  /** The scenarios that every account starts with, first priority first. Defaults to none. */
  readonly scenarios?: readonly Scenario[];
  /** The wall clock of the accounts. Defaults to the system clock. */
  readonly wall?: WallClock;
  /** Where journals are stored, and the accounts that an earlier process stored there. Defaults to memory and no accounts. */
  readonly store?: JournalStore;
  readonly stored?: readonly StoredAccount[];
  /** Called before an account is opened. Defaults to doing nothing. */
  readonly begin?: (account: string) => Promise<void>;
  /** Set if this process is one of several replicas. Replaces `store` and `wall`. */
  readonly replica?: ReplicaOptions;
}

/** The accounts of a sandbox, with the findings about them and the transport for their callbacks. */
export interface CreatedWorld {
  readonly world: World;
  readonly findings: LiveFindings;
  readonly transport: CallbackTransport;
  readonly opener: AccountOpener;
  readonly replica: RunningReplica | undefined;
  /** Returns why events cannot be journalled at the moment, if they cannot. */
  readonly outage: () => StoreOutage | undefined;
  /** Joins the other replicas once this one is listening, and opens the accounts that no replica owns. */
  readonly join: (at: Listening) => Promise<void>;
}

/** Builds a world with its detectors and opens its accounts. A replica opens its accounts when it joins. */
export async function createWorld(settings: SandboxSettings, options: WorldOptions): Promise<CreatedWorld> {
  const { report, scenarios = [], stored = [], begin = async () => {} } = options;
  const { store, wall, connect } = await openStore(options);
  const { gateway, journal: bounds, max_rules: maxRules, callback_allow: callbackAllow, seed } = settings;
  const random = seededRandom();
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const findings = new LiveFindings(chooseChecks(settings, report));
  const onOpened = (account: RunningAccount, past: JournalSlice | undefined): void => findings.follow(account, past);
  const ports = { store, wall, random, transport, report };
  const world = new World(
    { gateway, bounds, maxRules, onOpened, ...ports },
    { seed, stored, isShared: connect !== undefined },
  );
  const replica = connect?.(world, seed, report);
  const reserveHere = async (key: string): Promise<boolean> => {
    await begin(key);
    return world.find(key) === undefined;
  };
  const reserve = replica?.reserve ?? reserveHere;
  const opener = accountOpener(world, settings, { random, scenarios, reserve });
  const openAccounts = async (): Promise<void> => {
    // Accounts stored by an earlier process resume as they were, even if the settings have changed.
    for (const template of settings.accounts)
      if (world.resume(template.consumer_key) === undefined && (await reserve(template.consumer_key)))
        await opener.openReserved(template);
    world.resumeAll();
  };
  if (replica === undefined) await openAccounts();
  const outage = (): StoreOutage | undefined => store.outage?.();
  return { world, findings, transport, opener, replica, outage, join: async (at) => replica?.join(at, openAccounts) };
}

interface Parts {
  readonly store: JournalStore;
  readonly wall: WallClock;
  readonly connect?: ReplicaParts["connect"];
}

async function openStore({
  replica,
  store = memoryJournalStore(),
  wall = systemClock(),
}: WorldOptions): Promise<Parts> {
  if (replica === undefined) return { store, wall };
  const { prepareReplica } = await import("./storage/replicas/replica.ts");
  return prepareReplica(replica);
}

function chooseChecks(
  { findings: { off, burst } }: SandboxSettings,
  report: (fault: unknown) => void,
): FindingsOptions {
  return { watchers: WATCHERS, settings: { burst }, off, report };
}
