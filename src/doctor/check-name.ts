import { fail, type CheckResult, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { HOST_FROM_CONTAINER } from "./search-nearby.ts";

/** Checks whether the host name resolves. */
export function checkName({ target: { host }, name, hostEnvironment }: Observations): CheckResult {
  switch (name.kind) {
    case "resolved":
      return name.addresses[0] === host
        ? ok(`${host} is an address`)
        : ok(`${host} is ${name.addresses.join(" and ")}`);
    case "forbidden":
      return fail(`${host} may not be called`, name.reason);
    case "timed_out":
      return fail(
        `no name server answered for ${host} in time`,
        "check the name servers of this machine, or register an address",
      );
    case "unresolved":
      return fail(`${host} has no address here (${name.code})`, repairName(host, hostEnvironment));
  }
}

function repairName(host: string, { container, proxies }: Observations["hostEnvironment"]): string {
  if (host === HOST_FROM_CONTAINER)
    return container === undefined
      ? "only containers know this name: register localhost"
      : `on Linux a container knows it only with a setting: ${HOST_GATEWAY}`;
  if (!host.includes("."))
    return container === undefined
      ? "names of Compose services resolve only inside their network: register localhost and the port that `ports:` publishes"
      : "use the service's name from the Compose file, and put both services on the same network";
  if (host.endsWith(".local"))
    return "names under .local need mDNS, which containers and servers seldom have: register the address";
  const spelling = "check the spelling, and whether this machine can reach a name server that knows it";
  return proxies.length === 0 ? spelling : `${spelling}; callbacks do not use the proxy of ${proxies.join(", ")}`;
}

/** Source: the `--add-host` option in Docker's "docker run" reference; Compose calls it `extra_hosts`. */
export const HOST_GATEWAY =
  'add `extra_hosts: ["host.docker.internal:host-gateway"]` to its service in the Compose file, or `--add-host host.docker.internal:host-gateway` to docker run';
