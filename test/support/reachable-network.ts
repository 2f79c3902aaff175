import type { NetworkProbe, HostEnvironment } from "../../src/ports/network-probe.ts";
import { ON_A_LAPTOP } from "./observed.ts";

/** A network where every name is 127.0.0.1 and every port accepts connections. */
export function reachableNetwork(hostEnvironment: HostEnvironment = ON_A_LAPTOP): NetworkProbe {
  return {
    lookUp: async () => ({ kind: "resolved", addresses: ["127.0.0.1"] }),
    connect: async () => ({ kind: "connected" }),
    handshake: async () => ({ kind: "timed_out" }),
    get: async () => ({ outcome: { kind: "answered", status: 200, body: "" }, millis: 1 }),
    hostEnvironment: () => hostEnvironment,
  };
}
