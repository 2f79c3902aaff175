import type { NetworkProbe } from "../../ports/network-probe.ts";
import { filesOnDisk } from "../files/files-on-disk.ts";
import { createNetworkProbe } from "./network-probe.ts";
import { lookAround } from "./host-environment.ts";
import { systemClock } from "../time/system-clock.ts";

/** Probes from where this process runs. */
export function systemProbe(callbackAllow: readonly string[]): NetworkProbe {
  const wall = systemClock();
  return createNetworkProbe({ callbackAllow, now: () => wall.now(), hostEnvironment: () => lookAround(filesOnDisk, process.env) });
}
