import { type Observations, readTarget } from "../../src/verdict/doctor/observe-receiver.ts";
import type { CallbackOutcome } from "../../src/gateway/domain/callback-outcome.ts";
import type { Certificate, ConnectionAttempt } from "../../src/verdict/doctor/network-probe-port.ts";

/** A way that leads to a receiver which answered 200 after 5 ms, but for what a test changes. */
export function observed({
  url = "http://127.0.0.1:3000/hooks",
  ...changes
}: Partial<Observations> & { url?: string } = {}): Observations {
  return {
    target: readTarget(url),
    container: undefined,
    limit: 3_000,
    waited: 10_000,
    isInsecure: false,
    name: { kind: "resolved", addresses: ["127.0.0.1"] },
    connections: [{ address: "127.0.0.1", seen: { kind: "connected" } }],
    tls: undefined,
    delivered: { outcome: { kind: "answered", status: 200, body: "ok" }, millis: 5 },
    ...changes,
  };
}

/** A sample that came to this, after 5 ms. */
export function cameTo(outcome: CallbackOutcome, millis = 5): Pick<Observations, "delivered"> {
  return { delivered: { outcome, millis } };
}

export function answered(status: number, body = ""): Pick<Observations, "delivered"> {
  return cameTo({ kind: "answered", status, body });
}

/** Addresses where each connection came to something, none to an answer. */
export function stoppedAt(connections: Readonly<Record<string, ConnectionAttempt>>): Partial<Observations> {
  return {
    name: { kind: "resolved", addresses: Object.keys(connections) },
    connections: Object.entries(connections).map(([address, seen]) => ({ address, seen })),
    delivered: undefined,
  };
}

export const CERTIFICATE: Certificate = {
  subject: "hooks.example.co.ke",
  issuer: "Mfano CA",
  names: ["hooks.example.co.ke"],
  validFrom: "Jan  6 06:00:00 2025 GMT",
  validTo: "Jan  6 06:00:00 2026 GMT",
};
