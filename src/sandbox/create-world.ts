import { memoryJournalStore } from "../adapters/journal/memory-journal-store.ts";
import { seededRandom } from "../adapters/random/seeded-random.ts";
import { systemClock } from "../adapters/time/system-clock.ts";
import { createUndiciTransport } from "../adapters/delivery/undici-transport.ts";
import type { SandboxSettings } from "../config/config-schema.ts";
import type { Account } from "../engine/account.ts";
import type { StoredAccount } from "../engine/account-dependencies.ts";
import { World } from "../engine/world.ts";
import { DETECTORS } from "../findings/detectors.ts";
import type { FindingsOptions } from "../findings/findings.ts";
import { LiveFindings } from "../engine/live-findings.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import type { CallbackTransport } from "../ports/callback-transport.ts";
import type { Random } from "../ports/random.ts";
import type { WallClock } from "../ports/wall-clock.ts";

/** The accounts of a sandbox, with what watches them and what their callbacks and their chance come from. */
export interface CreatedWorld {
  readonly world: World;
  readonly findings: LiveFindings;
  readonly random: Random;
  readonly transport: CallbackTransport;
}

export interface WorldOptions {
  readonly report: (fault: unknown) => void;
  /** What accounts take for wall time; the machine's own unless told. */
  readonly wall?: WallClock;
  /** Where journals are kept; in memory unless told. */
  readonly store?: JournalStore;
  /** What that has of an earlier process. */
  readonly stored?: readonly StoredAccount[];
}

/** A world without accounts yet, with detectors that watch whatever comes to it. */
export function createWorld(
  settings: SandboxSettings,
  { report, wall = systemClock(), store = memoryJournalStore(), stored = [] }: WorldOptions,
): CreatedWorld {
  const { gateway, journal: bounds, callback_allow: callbackAllow, seed } = settings;
  const random = seededRandom();
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const findings = new LiveFindings(chooseDetectors(settings, report));
  const accompany = (account: Account, past: JournalSlice | undefined): void => findings.follow(account, past);
  const ports = { store, wall, random, transport, report };
  const world = new World({ gateway, bounds, accompany, ...ports }, { seed, stored });
  return { world, findings, random, transport };
}

/** What the settings leave of all detectors. */
function chooseDetectors({ findings: { off, burst } }: SandboxSettings, report: (fault: unknown) => void): FindingsOptions {
  const names: readonly string[] = off;
  return { detectors: DETECTORS.filter(({ id }) => !names.includes(id)), settings: burst === undefined ? {} : { burst }, report };
}
