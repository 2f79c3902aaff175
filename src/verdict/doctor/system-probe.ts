import type { Files } from "../../gateway/ports/files.ts";
import type { NetworkProbe } from "./network-probe-port.ts";
import { filesOnDisk } from "../../gateway/adapters/files/files-on-disk.ts";
import { createNetworkProbe } from "./network-probe.ts";

/** Probes from where this process runs. */
export function systemProbe(callbackAllow: readonly string[]): NetworkProbe {
  return createNetworkProbe({ callbackAllow, container: () => findContainer(filesOnDisk, process.env) });
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Set by Kredo's own image. */
const IMAGE_VARIABLE = "KREDO_IMAGE";

/** Finds the kind of container in the file system and the environment. */
export function findContainer(files: Files, env: Variables): string | undefined {
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
