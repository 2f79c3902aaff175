import type { Millis } from "../domain/time.ts";
import type { ConnectionAttempt, ReceiverAddress, NetworkProbe, HostEnvironment } from "../ports/network-probe.ts";
import { isLoopback } from "./target.ts";

/** Another place where the receiver may be, and whether anything listens there. */
export interface NearbyPlace {
  readonly host: string;
  readonly seen: ConnectionAttempt | { readonly kind: "unresolved" };
}

/** The host machine's name inside a container (Docker's "Networking" manual; Podman supports it, too). */
export const HOST_FROM_CONTAINER = "host.docker.internal";

export interface SearchOptions {
  readonly probe: NetworkProbe;
  readonly hostEnvironment: HostEnvironment;
  readonly limit: Millis;
}

/** Looks for a receiver that does not listen at its URL: on the same port of addresses that are easily confused. */
export async function searchNearby(
  receivers: readonly ReceiverAddress[],
  search: SearchOptions,
): Promise<NearbyPlace[]> {
  const [receiver] = receivers;
  if (receiver === undefined) return [];
  const hosts = nearbyHosts(receivers, search.hostEnvironment);
  return Promise.all(hosts.map(async (host) => ({ host, seen: await connectTo({ ...receiver, host }, search) })));
}

function nearbyHosts(receivers: readonly ReceiverAddress[], { container, addresses }: HostEnvironment): string[] {
  const tried = receivers.map(({ address }) => address);
  const isHere = tried.some((address) => isLoopback(address) || addresses.includes(address));
  const places = [
    ...(isHere ? ["127.0.0.1", "::1"] : []),
    ...(container !== undefined && tried.some(isLoopback) ? [HOST_FROM_CONTAINER] : []),
  ];
  return places.filter((place) => !tried.includes(place));
}

/** Only nearby addresses may be called, even if the URL is trusted. */
async function connectTo(receiver: ReceiverAddress, { probe, limit }: SearchOptions): Promise<NearbyPlace["seen"]> {
  const name = await probe.lookUp(receiver.host, limit);
  const [address] = name.kind === "resolved" ? name.addresses : [];
  return address === undefined
    ? { kind: "unresolved" }
    : probe.connect({ ...receiver, address, trusted: false }, limit);
}
