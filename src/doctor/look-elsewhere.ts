import type { Millis } from "../domain/time.ts";
import type { ConnectionSeen, Gate, NetworkProbe, Surroundings } from "../ports/network-probe.ts";
import { isLoopback } from "./target.ts";

/** Another place where the receiver may be, and whether anything listens there. */
export interface Elsewhere {
  readonly host: string;
  readonly seen: ConnectionSeen | { readonly kind: "unresolved" };
}

/** What a container calls the machine that it runs on (Docker's "Networking" manual; Podman knows the name, too). */
export const CONTAINERS_HOST = "host.docker.internal";

export interface Search {
  readonly probe: NetworkProbe;
  readonly surroundings: Surroundings;
  readonly limit: Millis;
}

/** Looks for a receiver that is not where its URL says: at the same port of the places that people mix up. */
export async function lookElsewhere(gates: readonly Gate[], search: Search): Promise<Elsewhere[]> {
  const [gate] = gates;
  if (gate === undefined) return [];
  const hosts = listPlaces(gates, search.surroundings);
  return Promise.all(hosts.map(async (host) => ({ host, seen: await lookAt({ ...gate, host }, search) })));
}

function listPlaces(gates: readonly Gate[], { container, addresses }: Surroundings): string[] {
  const tried = gates.map(({ address }) => address);
  const isHere = tried.some((address) => isLoopback(address) || addresses.includes(address));
  const places = [...(isHere ? ["127.0.0.1", "::1"] : []), ...(container !== undefined && tried.some(isLoopback) ? [CONTAINERS_HOST] : [])];
  return places.filter((place) => !tried.includes(place));
}

/** Only near addresses are looked at, whatever the URL may do. */
async function lookAt(gate: Gate, { probe, limit }: Search): Promise<Elsewhere["seen"]> {
  const name = await probe.lookUp(gate.host, limit);
  const [address] = name.kind === "resolved" ? name.addresses : [];
  return address === undefined ? { kind: "unresolved" } : probe.connect({ ...gate, address, trusted: false }, limit);
}
