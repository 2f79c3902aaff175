import type { RouteResult } from "./route-check.ts";
import type { Observations } from "./observe-receiver.ts";

/** The host machine's name inside a container (Docker's "Networking" manual; Podman supports it, too). */
const HOST_FROM_CONTAINER = "host.docker.internal";

/** Source: the `--add-host` option in Docker's "docker run" reference; Compose calls it `extra_hosts`. */
const HOST_GATEWAY =
  'on Linux a container knows it only with `extra_hosts: ["host.docker.internal:host-gateway"]` in the Compose file, or `--add-host host.docker.internal:host-gateway` for docker run';

/** Checks whether the host name resolves. */
export function checkName({ target: { host }, name, container }: Observations): RouteResult {
  switch (name.kind) {
    case "resolved": {
      const isAddress = name.addresses[0] === host;
      return { verdict: "ok", seen: `${host} is ${isAddress ? "an address" : name.addresses.join(" and ")}` };
    }
    case "forbidden":
      return { verdict: "failed", seen: `${host} may not be called`, repair: name.reason };
    case "timed_out":
      return {
        verdict: "failed",
        seen: `no name server answered for ${host} in time`,
        repair: "check the name servers of this machine, or register an address",
      };
    case "unresolved":
      return {
        verdict: "failed",
        seen: `${host} has no address here (${name.code})`,
        repair: repairName(host, container !== undefined),
      };
  }
}

function repairName(host: string, isInContainer: boolean): string {
  if (host === HOST_FROM_CONTAINER)
    return isInContainer ? HOST_GATEWAY : "only containers know this name: register localhost";
  if (!host.includes("."))
    return isInContainer
      ? "use the service's name from the Compose file, and put both services on the same network"
      : "names of Compose services resolve only inside their network: register localhost and the published port";
  return "check the spelling, and whether this machine can reach a name server that knows it";
}

type Connection = Observations["connections"][number];

/** Checks whether anything accepts connections at the URL's address. */
export function checkConnection(observed: Observations): RouteResult {
  const { connections, target } = observed;
  const [first] = connections;
  if (first === undefined) return { verdict: "skipped", seen: "no address to connect to" };
  const opening = connections.find(({ seen }) => seen.kind === "connected");
  if (opening === undefined) {
    const tried = connections.map((connection) => `${describe(connection)} at ${connection.address}`).join(", ");
    return { verdict: "failed", seen: `port ${target.port}: ${tried}`, repair: repairConnection(observed, first) };
  }
  const accepting = `${opening.address} port ${target.port} accepts connections`;
  if (first.seen.kind === "connected") return { verdict: "ok", seen: accepting };
  return {
    verdict: "warning",
    seen: `${target.host} is ${first.address} first, where ${describe(first)}; ${accepting}, and callbacks find it`,
    repair: `let the receiver listen on both, or register ${opening.address}: a client that tries one address finds nothing`,
  };
}

function describe({ seen }: Connection): string {
  switch (seen.kind) {
    case "connected":
      return "a connection";
    case "refused":
      return "nothing listens (connection refused)";
    case "timed_out":
      return "no answer in time";
    case "unreachable":
      return `unreachable (${seen.code})`;
    case "forbidden":
      return "not allowed";
  }
}

function repairConnection({ container, target }: Observations, { address, seen }: Connection): string {
  if (seen.kind === "forbidden") return seen.reason;
  if (isLoopback(address))
    return container === undefined
      ? `start the receiver; if it runs, check which port it printed, and in a container publish it (-p ${target.port}:PORT)`
      : `${target.host} is this container itself; for a receiver on the machine register ${HOST_FROM_CONTAINER} (${HOST_GATEWAY}), and for one in another container its service's name and the port inside`;
  return seen.kind === "refused"
    ? "start the receiver, check the port, and let it listen on 0.0.0.0 and not on 127.0.0.1 alone"
    : "a firewall drops the connection, or the address has changed: open the port for this machine";
}

/** Returns whether an address belongs to this machine or container. The unspecified addresses connect there, too. */
function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^(?:::|::1|0\.0\.0\.0)$/.test(address);
}
