import type { NetworkProbe } from "../../src/verdict/doctor/network-probe-port.ts";

/** A network where every name is 127.0.0.1 and every port accepts connections. */
export function reachableNetwork(container?: string): NetworkProbe {
  return {
    lookUp: async () => ({ kind: "resolved", addresses: ["127.0.0.1"] }),
    connect: async () => ({ kind: "connected" }),
    handshake: async () => ({ kind: "timed_out" }),
    container: () => container,
  };
}
