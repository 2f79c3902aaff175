import { expect, test } from "vitest";
import { searchNearby, type SearchOptions } from "../../src/doctor/search-nearby.ts";
import type { ReceiverAddress, NetworkProbe } from "../../src/ports/network-probe.ts";
import { IN_DOCKER, ON_A_LAPTOP } from "../support/observed.ts";

/** Takes connections at these addresses, and knows these names. */
function probeOf(open: readonly string[], names: Readonly<Record<string, string>> = {}): NetworkProbe {
  return {
    lookUp: async (host) => ({
      kind: "resolved",
      addresses: [names[host] ?? []].flat().concat(/^[\d.:]+$/.test(host) ? [host] : []),
    }),
    connect: async ({ address }) => (open.includes(address) ? { kind: "connected" } : { kind: "refused" }),
    handshake: async () => ({ kind: "timed_out" }),
    get: async () => ({ outcome: { kind: "abandoned" }, millis: 0 }),
    hostEnvironment: () => ON_A_LAPTOP,
  };
}

function gateAt(address: string): ReceiverAddress {
  return { host: address, address, port: 3_000, trusted: true };
}

test.each([
  ["the loopback", ON_A_LAPTOP, "127.0.0.1", ["::1"]],
  ["an address of this machine", ON_A_LAPTOP, "192.168.1.20", ["127.0.0.1", "::1"]],
  ["the loopback in a container", IN_DOCKER, "::1", ["127.0.0.1", "host.docker.internal"]],
  ["another machine", ON_A_LAPTOP, "192.168.1.30", []],
])("knows where else to look for a receiver at %s", async (_what, hostEnvironment, address, hosts) => {
  const search: SearchOptions = { probe: probeOf([]), hostEnvironment, limit: 1_000 };

  const places = await searchNearby([gateAt(address)], search);

  expect(places.map(({ host }) => host)).toEqual(hosts);
});

test("finds a receiver on the machine around the container", async () => {
  const probe = probeOf(["172.17.0.1"], { "host.docker.internal": "172.17.0.1" });

  const places = await searchNearby([gateAt("127.0.0.1")], { probe, hostEnvironment: IN_DOCKER, limit: 1_000 });

  expect(places).toEqual([
    { host: "::1", seen: { kind: "refused" } },
    { host: "host.docker.internal", seen: { kind: "connected" } },
  ]);
});

test("says that the container does not know the machine around it", async () => {
  const places = await searchNearby([gateAt("127.0.0.1")], {
    probe: probeOf([]),
    hostEnvironment: IN_DOCKER,
    limit: 1_000,
  });

  expect(places.at(-1)).toEqual({ host: "host.docker.internal", seen: { kind: "unresolved" } });
});
