import type { NetworkProbe } from "../ports/network-probe.ts";
import { filesOnDisk } from "./files-on-disk.ts";
import { createNetworkProbe } from "./network-probe.ts";
import { lookAround } from "./surroundings.ts";
import { systemClock } from "./system-clock.ts";

/** Probes from where this process runs. */
export function systemProbe(callbackAllow: readonly string[]): NetworkProbe {
  const wall = systemClock();
  return createNetworkProbe({ callbackAllow, now: () => wall.now(), surroundings: () => lookAround(filesOnDisk, process.env) });
}
