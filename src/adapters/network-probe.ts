import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP } from "node:net";
import type { Millis } from "../domain/time.ts";
import type { ConnectionSeen, Gate, NameSeen, NetworkProbe, Surroundings } from "../ports/network-probe.ts";
import { type HostList, judgeEgress, judgeName, parseHostList } from "./egress.ts";
import { getOnce } from "./get-once.ts";
import { shakeHands } from "./shake-hands.ts";
import { obstacleBefore } from "./socket-obstacle.ts";

export interface NetworkProbeOptions {
  /** Public hosts that untrusted URLs may name, too: exact, or `*.example.com`. */
  readonly callbackAllow: readonly string[];
  /** Wall time. */
  readonly now: () => Millis;
  readonly surroundings: () => Surroundings;
}

/** Probes under the same rules for outgoing calls as the transport. */
export function createNetworkProbe({ callbackAllow, now, surroundings }: NetworkProbeOptions): NetworkProbe {
  const listed = parseHostList(callbackAllow);
  return {
    lookUp,
    connect: (gate, limit) => connect(gate, limit, listed),
    shakeHands: (gate, limit) => shakeHands(gate, limit, listed),
    get: (request, signal) => getOnce({ request, signal, now }, listed),
    surroundings,
  };
}

async function lookUp(host: string, limit: Millis): Promise<NameSeen> {
  if (isIP(host) !== 0) return { kind: "resolved", addresses: [host] };
  const verdict = judgeName(host);
  if (!verdict.allowed) return { kind: "forbidden", reason: verdict.reason };
  const looking = lookup(host, { all: true }).then(
    (found): NameSeen => ({ kind: "resolved", addresses: found.map(({ address }) => address) }),
    (failure: NodeJS.ErrnoException): NameSeen => ({ kind: "unresolved", code: failure.code ?? failure.message }),
  );
  return within(looking, limit);
}

/** A look-up cannot be called off; its answer is not waited for any longer. */
async function within(looking: Promise<NameSeen>, limit: Millis): Promise<NameSeen> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<NameSeen>((resolve) => {
    timer = setTimeout(resolve, limit, { kind: "timed_out" });
  });
  try {
    return await Promise.race([looking, expired]);
  } finally {
    clearTimeout(timer);
  }
}

async function connect({ host, address, port, trusted }: Gate, limit: Millis, listed: HostList): Promise<ConnectionSeen> {
  const verdict = judgeEgress({ host, address, trusted }, listed);
  if (!verdict.allowed) return { kind: "forbidden", reason: verdict.reason };
  const socket = connectTcp({ host: address, port });
  const obstacle = await obstacleBefore("connect", socket, limit);
  socket.destroy();
  if (obstacle === undefined) return { kind: "connected" };
  if (obstacle === "ECONNREFUSED") return { kind: "refused" };
  return obstacle === "ETIMEDOUT" ? { kind: "timed_out" } : { kind: "unreachable", code: obstacle };
}
