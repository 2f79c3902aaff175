import { memoryJournalStore } from "../adapters/journal/memory-journal-store.ts";
import { createUndiciTransport } from "../adapters/delivery/undici-transport.ts";
import { seededRandom } from "../adapters/random/seeded-random.ts";
import type { Listening } from "../adapters/server/node-server.ts";
import { systemClock } from "../adapters/time/system-clock.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { SandboxSettings } from "../config/config-schema.ts";
import type { Account, StoredAccount } from "../engine/account.ts";
import { LiveFindings } from "../engine/live-findings.ts";
import { World } from "../engine/world.ts";
import { DETECTORS } from "../findings/detectors.ts";
import type { FindingsOptions } from "../findings/findings.ts";
import type { CallbackTransport } from "../ports/callback-transport.ts";
import type { JournalStore, StoreOutage } from "../ports/journal-store.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Scenario } from "../scenario/schema.ts";
import { type AccountOpener, accountOpener } from "./account-opener.ts";
import type { Replica, ReplicaOptions, ReplicaParts } from "./replica.ts";

export interface WorldOptions {
  readonly report: (fault: unknown) => void;
  /** What every account begins with, the one that is asked first in front; none unless told. */
  readonly scenarios?: readonly Scenario[];
  /** What accounts take for wall time; the machine's own unless told. */
  readonly wall?: WallClock;
  /** Where journals are kept, and the accounts that an earlier process stored there. Default: in memory, and none. */
  readonly store?: JournalStore;
  readonly stored?: readonly StoredAccount[];
  /** Where this is one of several processes that share a sandbox: instead of a store, and of wall time. */
  readonly replica?: ReplicaOptions;
}

/** The accounts of a sandbox, with what watches them and what their callbacks come from. */
export interface CreatedWorld {
  readonly world: World;
  readonly findings: LiveFindings;
  readonly transport: CallbackTransport;
  readonly opener: AccountOpener;
  readonly replica: Replica | undefined;
  /** Why nothing can be journalled for now. */
  readonly outage: () => StoreOutage | undefined;
  /** Makes it a member of the sandbox that replicas share, once it can be called, and opens the accounts that nobody has yet. */
  readonly join: (at: Listening) => Promise<void>;
}

/** Builds a world, with detectors that watch whatever comes to it, and opens its accounts; among replicas that is done once it has joined. */
export async function createWorld(settings: SandboxSettings, options: WorldOptions): Promise<CreatedWorld> {
  const { report, scenarios = [], stored = [] } = options;
  const { store, wall, connect } = await partsOf(options);
  const { gateway, journal: bounds, callback_allow: callbackAllow, seed } = settings;
  const random = seededRandom();
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const findings = new LiveFindings(chooseDetectors(settings, report));
  const accompany = (account: Account, past: JournalSlice | undefined): void => findings.follow(account, past);
  const ports = { store, wall, random, transport, report };
  const world = new World({ gateway, bounds, accompany, ...ports }, { seed, stored, isShared: connect !== undefined });
  const replica = connect?.(world, { seed, report });
  const reserve = replica?.reserve ?? (async (key: string) => world.find(key) === undefined);
  const opener = accountOpener(world, settings, { random, scenarios, reserve });
  const openAccounts = async (): Promise<void> => {
    // Those that an earlier process left go on as they are, whatever the settings say of them.
    for (const template of settings.accounts)
      if (world.resume(template.consumer_key) === undefined && (await reserve(template.consumer_key))) await opener.openReserved(template);
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

async function partsOf({ replica, store = memoryJournalStore(), wall = systemClock() }: WorldOptions): Promise<Parts> {
  if (replica === undefined) return { store, wall };
  const { prepareReplica } = await import("./replica.ts");
  return prepareReplica(replica);
}

/** What the settings leave of all detectors. */
function chooseDetectors({ findings: { off, burst } }: SandboxSettings, report: (fault: unknown) => void): FindingsOptions {
  const names: readonly string[] = off;
  return { detectors: DETECTORS.filter(({ id }) => !names.includes(id)), settings: burst === undefined ? {} : { burst }, report };
}
