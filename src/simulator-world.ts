import { memoryJournalStore } from "./adapters/memory-journal-store.ts";
import { seededRandom } from "./adapters/seeded-random.ts";
import { systemClock } from "./adapters/system-clock.ts";
import { createUndiciTransport } from "./adapters/undici-transport.ts";
import type { SandboxSettings } from "./config/sandbox-settings.ts";
import type { Account } from "./engine/account.ts";
import type { Kept } from "./engine/surroundings.ts";
import { World } from "./engine/world.ts";
import { DETECTORS } from "./findings/detectors.ts";
import type { Watching } from "./findings/findings.ts";
import { LiveFindings } from "./findings/live-findings.ts";
import type { JournalStore, Reading } from "./ports/journal-store.ts";
import type { CallbackTransport } from "./ports/callback-transport.ts";
import type { Random } from "./ports/random.ts";
import type { WallClock } from "./ports/wall-clock.ts";
import { createDirector } from "./scenario/director.ts";

/** The accounts of a sandbox, with what watches them and what their callbacks and their chance come from. */
export interface Ground {
  readonly world: World;
  readonly findings: LiveFindings;
  readonly random: Random;
  readonly transport: CallbackTransport;
}

export interface GroundOptions {
  readonly report: (fault: unknown) => void;
  /** What accounts take for wall time; the machine's own unless told. */
  readonly wall?: WallClock;
  /** Where journals are kept; in memory unless told. */
  readonly store?: JournalStore;
  /** What that has of an earlier process. */
  readonly kept?: readonly Kept[];
}

/** A world without accounts yet, with detectors that watch whatever comes to it. */
export function openGround(
  settings: SandboxSettings,
  { report, wall = systemClock(), store = memoryJournalStore(), kept = [] }: GroundOptions,
): Ground {
  const { gateway, journal: bounds, callbackAllow, seed } = settings;
  const random = seededRandom();
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const findings = new LiveFindings(chooseDetectors(settings, report));
  const accompany = (account: Account, past: Reading | undefined): void => findings.follow(account, past);
  const ports = { store, wall, random, transport, report };
  const world = new World({ gateway, bounds, director: createDirector(), accompany, ...ports }, { seed, kept });
  return { world, findings, random, transport };
}

/** What the settings leave of all detectors. */
function chooseDetectors({ findings: { off, burst } }: SandboxSettings, report: (fault: unknown) => void): Watching {
  const names: readonly string[] = off;
  return { detectors: DETECTORS.filter(({ id }) => !names.includes(id)), settings: burst === undefined ? {} : { burst }, report };
}
