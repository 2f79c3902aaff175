import { doubt, fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";
import { HOST_GATEWAY } from "./judge-name.ts";
import { CONTAINERS_HOST } from "./look-elsewhere.ts";
import { isLoopback, moveTo } from "./target.ts";

type Connection = Observed["connections"][number];

/** Whether anything takes connections there. */
export function judgeTcp(observed: Observed): Judgement {
  const { connections, target } = observed;
  const [first] = connections;
  if (first === undefined) return skip("no address to connect to");
  const open = connections.filter(({ seen }) => seen.kind === "connected");
  const [opening] = open;
  if (opening === undefined) return fail(describeAll(observed), repairConnection(observed, first));
  const accepts = `${opening.address} port ${target.port} takes connections`;
  if (first.seen.kind === "connected") return well(accepts);
  return doubt(
    `${target.host} is ${first.address} first, where ${describe(first)}; ${accepts}, and callbacks find it`,
    `let the receiver listen on both, or register ${moveTo(opening.address, target)}: a client that tries one address finds nothing`,
  );
}

function describeAll({ connections, target }: Observed): string {
  return `port ${target.port}: ${connections.map((connection) => `${describe(connection)} at ${connection.address}`).join(", ")}`;
}

function describe({ seen }: Connection): string {
  switch (seen.kind) {
    case "connected":
      return "a connection";
    case "refused":
      return "nothing listens (connection refused)";
    case "timed_out":
      return "no sign of life in time";
    case "unreachable":
      return `no way (${seen.code})`;
    case "forbidden":
      return "not called";
  }
}

function repairConnection(observed: Observed, { address, seen }: Connection): string {
  const { surroundings, target } = observed;
  if (seen.kind === "forbidden") return seen.reason;
  const found = observed.elsewhere.find((place) => place.seen.kind === "connected");
  if (found !== undefined) return repairPlace(observed, found.host);
  if (isLoopback(address)) return surroundings.container === undefined ? repairHere(target.port) : repairContainer(observed);
  if (seen.kind === "refused") return repairRefused(observed);
  if (observed.connections.every((connection) => connection.address.includes(":")))
    return `it has only IPv6 addresses, and the way there does not work: give it an IPv4 address, or this ${
      surroundings.container === undefined ? "machine" : "container's network"
    } IPv6`;
  const firewall = "a firewall or security group drops the connection, or the address is another one now: open the port for this machine";
  return surroundings.proxies.length === 0
    ? firewall
    : `${firewall}; callbacks do not use the proxy of ${surroundings.proxies.join(", ")}, so the network must let them out directly`;
}

function repairPlace({ target, surroundings }: Observed, host: string): string {
  if (host === CONTAINERS_HOST)
    return `${target.host} is this container itself; something listens at port ${target.port} of the machine around it: register ${moveTo(host, target)}`;
  const isMachine = surroundings.container === undefined;
  return isLoopback(target.host) || target.host === "localhost"
    ? `something listens at ${host}: register ${moveTo(host, target)}, or let the receiver listen there, too`
    : `something listens at ${host} of this ${isMachine ? "machine" : "container"} only: let the receiver listen on 0.0.0.0 (${BINDING}), or register ${moveTo(host, target)}`;
}

const BINDING = 'app.listen(port, "0.0.0.0"), php artisan serve --host=0.0.0.0, manage.py runserver 0.0.0.0:PORT, flask run --host=0.0.0.0';

function repairHere(port: number): string {
  return `start the receiver; if it runs, look which port it printed, and in a container publish it (-p ${port}:PORT)`;
}

/** In a container localhost is the container. */
function repairContainer({ target, elsewhere, surroundings }: Observed): string {
  const around = elsewhere.find(({ host }) => host === CONTAINERS_HOST);
  const from = `${target.host} is this ${surroundings.container === "container" ? "" : `${surroundings.container} `}container itself; if the receiver runs in here, start it`;
  const service = "for one in another container register its Compose service's name and the port inside";
  if (around?.seen.kind === "unresolved")
    return `${from}; for one on the machine register ${moveTo(CONTAINERS_HOST, target)}, and, as this container does not know that name, ${HOST_GATEWAY}; ${service}`;
  return `${from}; for one on the machine, where nothing answers at ${CONTAINERS_HOST} port ${target.port} either, let it listen on 0.0.0.0 and not on 127.0.0.1 alone, and register ${moveTo(CONTAINERS_HOST, target)}; ${service}`;
}

function repairRefused({ target, surroundings }: Observed): string {
  if (target.host === CONTAINERS_HOST)
    return `start the receiver on the machine, and let it listen on 0.0.0.0: on Linux 127.0.0.1 alone is not reached from a container (${BINDING})`;
  if (surroundings.container !== undefined && !target.host.includes("."))
    return "register the port that the receiver has inside its container (the right one of `ports:`), and let it listen on 0.0.0.0 there";
  return `start the receiver, check the port, and let it listen on 0.0.0.0 and not on 127.0.0.1 alone (${BINDING})`;
}
