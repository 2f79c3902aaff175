import { fail, type Judgement, well } from "./check.ts";
import type { Observed } from "./examine.ts";
import { CONTAINERS_HOST } from "./look-elsewhere.ts";

/** Whether the host has an address. */
export function judgeName({ target: { host }, name, surroundings }: Observed): Judgement {
  switch (name.kind) {
    case "resolved":
      return name.addresses[0] === host ? well(`${host} is an address`) : well(`${host} is ${name.addresses.join(" and ")}`);
    case "forbidden":
      return fail(`${host} may not be called`, name.reason);
    case "timed_out":
      return fail(`no name server answered for ${host} in time`, "check the name servers of this machine, or register an address");
    case "unresolved":
      return fail(`${host} has no address here (${name.code})`, repairName(host, surroundings));
  }
}

function repairName(host: string, { container, proxies }: Observed["surroundings"]): string {
  if (host === CONTAINERS_HOST)
    return container === undefined
      ? "only containers know this name: register localhost"
      : `on Linux a container knows it only when told: ${HOST_GATEWAY}`;
  if (!host.includes("."))
    return container === undefined
      ? "names of Compose services are known only inside their network: register localhost and the port that `ports:` publishes"
      : "write the service's name as the Compose file has it, and put both services on the same network";
  if (host.endsWith(".local"))
    return "names under .local are answered by mDNS, which containers and servers seldom have: register the address";
  const spelling = "check its spelling, and whether this machine reaches a name server that knows it";
  return proxies.length === 0 ? spelling : `${spelling}; callbacks do not use the proxy of ${proxies.join(", ")}`;
}

/** Docker's "docker run" reference, --add-host; Compose has it as extra_hosts. */
export const HOST_GATEWAY =
  'add `extra_hosts: ["host.docker.internal:host-gateway"]` to its service in the Compose file, or `--add-host host.docker.internal:host-gateway` to docker run';
