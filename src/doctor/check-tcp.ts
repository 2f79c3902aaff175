import { warn, fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { HOST_GATEWAY } from "./check-name.ts";
import { HOST_FROM_CONTAINER } from "./search-nearby.ts";
import { isLoopback, moveTo } from "./target.ts";

type Connection = Observations["connections"][number];

/** Checks whether anything accepts connections at the URL's address. */
export function checkTcp(observed: Observations): CheckResult {
  const { connections, target } = observed;
  const [first] = connections;
  if (first === undefined) return skip("no address to connect to");
  const open = connections.filter(({ seen }) => seen.kind === "connected");
  const [opening] = open;
  if (opening === undefined) return fail(describeAll(observed), repairConnection(observed, first));
  const accepting = `${opening.address} port ${target.port} accepts connections`;
  if (first.seen.kind === "connected") return ok(accepting);
  return warn(
    `${target.host} is ${first.address} first, where ${describe(first)}; ${accepting}, and callbacks find it`,
    `let the receiver listen on both, or register ${moveTo(opening.address, target)}: a client that tries one address finds nothing`,
  );
}

function describeAll({ connections, target }: Observations): string {
  return `port ${target.port}: ${connections.map((connection) => `${describe(connection)} at ${connection.address}`).join(", ")}`;
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

function repairConnection(observed: Observations, { address, seen }: Connection): string {
  const { hostEnvironment, target } = observed;
  if (seen.kind === "forbidden") return seen.reason;
  const found = observed.elsewhere.find((place) => place.seen.kind === "connected");
  if (found !== undefined) return repairNearby(observed, found.host);
  if (isLoopback(address))
    return hostEnvironment.container === undefined ? repairHere(target.port) : repairContainer(observed);
  if (seen.kind === "refused") return repairRefused(observed);
  if (observed.connections.every((connection) => connection.address.includes(":")))
    return `it has only IPv6 addresses, which cannot be reached: give it an IPv4 address, or give this ${
      hostEnvironment.container === undefined ? "machine" : "container's network"
    } IPv6`;
  const firewall =
    "a firewall or security group drops the connection, or the address has changed: open the port for this machine";
  return hostEnvironment.proxies.length === 0
    ? firewall
    : `${firewall}; callbacks do not use the proxy of ${hostEnvironment.proxies.join(", ")}, so the network must let them out directly`;
}

function repairNearby({ target, hostEnvironment }: Observations, host: string): string {
  if (host === HOST_FROM_CONTAINER)
    return `${target.host} is this container itself; something listens at port ${target.port} of the machine around it: register ${moveTo(host, target)}`;
  const isMachine = hostEnvironment.container === undefined;
  return isLoopback(target.host) || target.host === "localhost"
    ? `something listens at ${host}: register ${moveTo(host, target)}, or let the receiver listen there, too`
    : `something listens at ${host} of this ${isMachine ? "machine" : "container"} only: let the receiver listen on 0.0.0.0 (${BINDING}), or register ${moveTo(host, target)}`;
}

const BINDING =
  'app.listen(port, "0.0.0.0"), php artisan serve --host=0.0.0.0, manage.py runserver 0.0.0.0:PORT, flask run --host=0.0.0.0';

function repairHere(port: number): string {
  return `start the receiver; if it runs, check which port it printed, and in a container publish it (-p ${port}:PORT)`;
}

/** Inside a container, localhost is the container itself. */
function repairContainer({ target, elsewhere, hostEnvironment }: Observations): string {
  const around = elsewhere.find(({ host }) => host === HOST_FROM_CONTAINER);
  const from = `${target.host} is this ${hostEnvironment.container === "container" ? "" : `${hostEnvironment.container} `}container itself; if the receiver runs in here, start it`;
  const service = "for one in another container register its Compose service's name and the port inside";
  if (around?.seen.kind === "unresolved")
    return `${from}; for one on the machine register ${moveTo(HOST_FROM_CONTAINER, target)}, and, as this container does not know that name, ${HOST_GATEWAY}; ${service}`;
  return `${from}; for one on the machine, where nothing answers at ${HOST_FROM_CONTAINER} port ${target.port} either, let it listen on 0.0.0.0 and not on 127.0.0.1 alone, and register ${moveTo(HOST_FROM_CONTAINER, target)}; ${service}`;
}

function repairRefused({ target, hostEnvironment }: Observations): string {
  if (target.host === HOST_FROM_CONTAINER)
    return `start the receiver on the machine, and let it listen on 0.0.0.0: on Linux 127.0.0.1 alone is not reached from a container (${BINDING})`;
  if (hostEnvironment.container !== undefined && !target.host.includes("."))
    return "register the port that the receiver has inside its container (the right one of `ports:`), and let it listen on 0.0.0.0 there";
  return `start the receiver, check the port, and let it listen on 0.0.0.0 and not on 127.0.0.1 alone (${BINDING})`;
}
