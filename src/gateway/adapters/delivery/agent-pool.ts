import type { Agent } from "undici";
import { SECOND } from "../../domain/time.ts";
import type { CallbackRequest } from "../../ports/callback-transport.ts";
import type { HostList } from "./egress.ts";
import type { GuardedConnector } from "./guarded-connector.ts";
import { createConnector } from "./guarded-connector.ts";
import { LONGEST_HEAD } from "./response-heads.ts";

/** The connections to receivers, separated by trust settings: a connection opened for a trusted URL is never used for an untrusted one. */
export interface AgentPool {
  pick(request: CallbackRequest, makeAgent: MakeAgent): Agent;
  close(): Promise<void>;
}

/** Undici's `Agent` class. Passed in, because undici is loaded only for the first callback. */
export type MakeAgent = new (options: Agent.Options) => Agent;

/** The most agents kept open. There is one for each combination of trust settings, including each certificate authority. */
const MAX_AGENTS = 32;

export function createAgentPool(listed: HostList): AgentPool {
  const open = new Map<string, PooledAgent>();
  const retired = new Set<PooledAgent>();

  return {
    pick(request, makeAgent) {
      const key = `${request.trusted ? "trusted" : "listed"} ${request.insecure ? "any" : "valid"} ${request.ca ?? ""}`;
      const pooled = open.get(key) ?? openAgent(request, listed, makeAgent);
      // The last entry in the map is the most recently used one.
      open.delete(key);
      open.set(key, pooled);
      retireOldest(open, retired);
      pooled.connector.expectUpTo(request.timeout);
      return pooled.agent;
    },
    async close() {
      const agents = [...open.values(), ...retired];
      open.clear();
      for (const { connector } of agents) connector.close();
      await Promise.all(agents.map(({ agent }) => agent.destroy()));
    },
  };
}

interface PooledAgent {
  readonly agent: Agent;
  readonly connector: GuardedConnector;
}

function openAgent({ trusted, ca, insecure }: CallbackRequest, listed: HostList, makeAgent: MakeAgent): PooledAgent {
  const connector = createConnector({ trusted, insecure, listed, ca });
  return { connector, agent: new makeAgent({ ...AGENT_OPTIONS, connect: connector.connect }) };
}

/**
 * A POST lost on a closing connection cannot be distinguished from one that the receiver processed, so it is never sent again. Idle
 * connections are therefore closed well before a receiver would close them: Node does so after 5 s (`server.keepAliveTimeout`), as does
 * Apache (`KeepAliveTimeout`), gunicorn after 2 s. A Keep-Alive header is honoured, minus a second for the transmission. Before undici
 * writes to an idle connection, it checks whether a close has already arrived.
 */
const AGENT_OPTIONS: Agent.Options = {
  pipelining: 1,
  keepAliveTimeout: SECOND,
  keepAliveMaxTimeout: 4 * SECOND,
  keepAliveTimeoutThreshold: SECOND,
  maxHeaderSize: LONGEST_HEAD,
  // Each delivery has its own timer for the whole exchange.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Keeps at most `MAX_AGENTS` open. Lets deliveries in progress on the others finish. */
function retireOldest(open: Map<string, PooledAgent>, retired: Set<PooledAgent>): void {
  for (const [key, pooled] of open) {
    if (open.size <= MAX_AGENTS) return;
    open.delete(key);
    retired.add(pooled);
    void pooled.agent.close().then(() => retired.delete(pooled));
  }
}
