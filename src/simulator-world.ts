import { memoryJournalStore } from "./adapters/memory-journal-store.ts";
import { seededRandom } from "./adapters/seeded-random.ts";
import { systemClock } from "./adapters/system-clock.ts";
import { createUndiciTransport } from "./adapters/undici-transport.ts";
import type { SandboxSettings } from "./config/sandbox-settings.ts";
import type { Account } from "./engine/account.ts";
import { World } from "./engine/world.ts";
import { DETECTORS } from "./findings/detectors.ts";
import type { Watching } from "./findings/findings.ts";
import { LiveFindings } from "./findings/live-findings.ts";
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
}

/** A world without accounts yet, with detectors that watch whatever comes to it. */
export function openGround(settings: SandboxSettings, { report, wall = systemClock() }: GroundOptions): Ground {
  const { gateway, journal: bounds, callbackAllow, seed } = settings;
  const random = seededRandom();
  const transport = createUndiciTransport({ callbackAllow, now: () => wall.now() });
  const findings = new LiveFindings(chooseDetectors(settings, report));
  const accompany = (account: Account): void => findings.follow(account);
  const ports = { store: memoryJournalStore(), wall, random, transport, report };
  const world = new World({ gateway, bounds, director: createDirector(), accompany, ...ports }, seed);
  return { world, findings, random, transport };
}

/** What the settings leave of all detectors. */
function chooseDetectors({ findings: { off, burst } }: SandboxSettings, report: (fault: unknown) => void): Watching {
  const names: readonly string[] = off;
  return { detectors: DETECTORS.filter(({ id }) => !names.includes(id)), settings: burst === undefined ? {} : { burst }, report };
}
