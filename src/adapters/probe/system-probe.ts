import { networkInterfaces } from "node:os";
import type { Files } from "../../ports/files.ts";
import type { HostEnvironment, NetworkProbe } from "../../ports/network-probe.ts";
import { filesOnDisk } from "../files/files-on-disk.ts";
import { systemClock } from "../time/system-clock.ts";
import { createNetworkProbe } from "./network-probe.ts";

/** Probes from where this process runs. */
export function systemProbe(callbackAllow: readonly string[]): NetworkProbe {
  const wall = systemClock();
  return createNetworkProbe({
    callbackAllow,
    now: () => wall.now(),
    hostEnvironment: () => lookAround(filesOnDisk, process.env),
  });
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Inspects the file system, the environment and the network interfaces. */
export function lookAround(files: Files, env: Variables): HostEnvironment {
  return {
    container: findContainer(files, env),
    proxies: PROXY_VARIABLES.filter((name) => env[name]),
    addresses: Object.values(networkInterfaces()).flatMap((list = []) =>
      list.flatMap(({ internal, address }) => (internal ? [] : address)),
    ),
  };
}

const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/** Set by Kredo's own image. */
const IMAGE_VARIABLE = "KREDO_IMAGE";

function findContainer(files: Files, env: Variables): string | undefined {
  // Set in each container (Kubernetes documentation, "Connecting Applications with Services").
  if (env["KUBERNETES_SERVICE_HOST"]) return "Kubernetes";
  if (exists(files, "/.dockerenv")) return "Docker";
  // Present in each Podman container (podman-run(1)).
  if (exists(files, "/run/.containerenv")) return "Podman";
  const groups = files.read("/proc/1/cgroup");
  const [, engine] = "text" in groups ? (/(docker|libpod|kubepods|containerd|lxc)/.exec(groups.text) ?? []) : [];
  return engine === undefined ? (env[IMAGE_VARIABLE] ? "container" : undefined) : (ENGINES[engine] ?? "container");
}

const ENGINES: Readonly<Record<string, string>> = { docker: "Docker", libpod: "Podman", kubepods: "Kubernetes" };

function exists(files: Files, path: string): boolean {
  return !("missing" in files.read(path));
}
