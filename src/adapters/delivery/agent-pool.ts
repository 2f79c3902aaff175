import type { Agent } from "undici";
import { SECOND } from "../../domain/time.ts";
import type { CallbackRequest } from "../../ports/callback-transport.ts";
import type { HostList } from "./egress.ts";
import type { GuardedConnector } from "./guarded-connector.ts";
import { createConnector } from "./guarded-connector.ts";

/** The connections to receivers, apart for each way of trusting: what a trusted URL opened is not lent to one that is not. */
export interface AgentPool {
  pick(request: CallbackRequest, makeAgent: MakeAgent): Agent;
  close(): Promise<void>;
}

/** Undici's `Agent`, handed in because undici is loaded only when the first callback goes. */
export type MakeAgent = new (options: Agent.Options) => Agent;

/** Ways of trusting kept open at a time; each certificate authority is one more. */
const MAX_AGENTS = 32;

export function createAgentPool(listed: HostList): AgentPool {
  const open = new Map<string, PooledAgent>();
  const retired = new Set<PooledAgent>();

  return {
    pick(request, makeAgent) {
      const key = `${request.trusted ? "trusted" : "listed"} ${request.insecure ? "any" : "valid"} ${request.ca ?? ""}`;
      const pooled = open.get(key) ?? openAgent(request, listed, makeAgent);
      // The last in the map is the last that was used.
      open.delete(key);
      open.set(key, pooled);
      if (open.size > MAX_AGENTS) retireOldest(open, retired);
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
  const connector = createConnector({ trusted, insecure, listed, ...(ca !== undefined && { ca }) });
  return { connector, agent: new makeAgent({ ...AGENT_OPTIONS, connect: connector.connect }) };
}

/**
 * A POST that a receiver's closing connection swallows cannot be told from one it dealt with, so it is never sent again
 * and an idle connection is given up well before a receiver would: Node closes after 5 s (`server.keepAliveTimeout`), as
 * Apache does (`KeepAliveTimeout`), gunicorn after 2 s. A Keep-Alive header counts, less a second for the way there.
 * Undici looks for a close that has already arrived before it writes to an idle connection.
 */
const AGENT_OPTIONS: Agent.Options = {
  pipelining: 1,
  keepAliveTimeout: SECOND,
  keepAliveMaxTimeout: 4 * SECOND,
  keepAliveTimeoutThreshold: SECOND,
  // Bytes of names and values in the head of an answer; a guess that is generous to receivers.
  maxHeaderSize: 8_192,
  // Each delivery has a timer of its own over all of it.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Lets what is under way on it end by itself. */
function retireOldest(open: Map<string, PooledAgent>, retired: Set<PooledAgent>): void {
  const [oldest] = open;
  if (oldest === undefined) return;
  const [key, pooled] = oldest;
  open.delete(key);
  retired.add(pooled);
  void pooled.agent.close().then(() => retired.delete(pooled));
}
