import { hostname } from "node:os";

/** What clients call a sandbox by: on this machine, from the next one, from a container, in a Compose file. */
export function ownNames(): string[] {
  return ["localhost", "127.0.0.1", "::1", hostname().toLowerCase(), "host.docker.internal", "kredo"];
}
