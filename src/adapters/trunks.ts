import type { Agent } from "undici";
import { SECOND } from "../domain/time.ts";
import type { CallbackRequest } from "../ports/callback-transport.ts";
import type { HostList } from "./egress.ts";
import type { GuardedConnector } from "./guarded-connector.ts";
import { createConnector } from "./guarded-connector.ts";

/** The connections to receivers, apart for each way of trusting: what a trusted URL opened is not lent to one that is not. */
export interface Trunks {
  pick(request: CallbackRequest, makeAgent: MakeAgent): Agent;
  close(): Promise<void>;
}

/** Undici's `Agent`, handed in because undici is loaded only when the first callback goes. */
export type MakeAgent = new (options: Agent.Options) => Agent;

/** Ways of trusting kept open at a time; each certificate authority is one more. */
const MOST_TRUNKS = 32;

export function createTrunks(listed: HostList): Trunks {
  const open = new Map<string, Trunk>();
  const retired = new Set<Trunk>();

  return {
    pick(request, makeAgent) {
      const key = `${request.trusted ? "trusted" : "listed"} ${request.insecure ? "any" : "valid"} ${request.ca ?? ""}`;
      const trunk = open.get(key) ?? openTrunk(request, listed, makeAgent);
      // The last in the map is the last that was used.
      open.delete(key);
      open.set(key, trunk);
      if (open.size > MOST_TRUNKS) retireOldest(open, retired);
      trunk.connector.expectUpTo(request.timeout);
      return trunk.agent;
    },
    async close() {
      const trunks = [...open.values(), ...retired];
      open.clear();
      for (const { connector } of trunks) connector.close();
      await Promise.all(trunks.map(({ agent }) => agent.destroy()));
    },
  };
}

interface Trunk {
  readonly agent: Agent;
  readonly connector: GuardedConnector;
}

function openTrunk({ trusted, ca, insecure }: CallbackRequest, listed: HostList, makeAgent: MakeAgent): Trunk {
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
  // Each delivery has a timer of its own over all of it.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Lets what is under way on it end by itself. */
function retireOldest(open: Map<string, Trunk>, retired: Set<Trunk>): void {
  const [oldest] = open;
  if (oldest === undefined) return;
  const [key, trunk] = oldest;
  open.delete(key);
  retired.add(trunk);
  void trunk.agent.close().then(() => retired.delete(trunk));
}
