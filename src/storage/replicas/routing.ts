import type { MiddlewareHandler } from "hono";
import type { GatewayEnv } from "../../gateway/http/bindings.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import { forwardCalls } from "./forward-calls.ts";
import { forwardOrders } from "./forward-orders.ts";
import { answerForwardedOrders } from "./forwarded-orders.ts";
import { Owners } from "./owners.ts";
import { ReplicaClient } from "./replica-client.ts";
import type { RoutingOptions } from "./with-owner.ts";

/** Forwards requests and control calls to the replica that owns their account, and accepts those that the others forward. */
export interface Routing {
  /** Stand before the gateway's endpoints. */
  readonly handlers: readonly MiddlewareHandler<GatewayEnv>[];
  /** Stands before the calls of the control API. */
  readonly forwardCalls: ReturnType<typeof forwardCalls>;
  /** Resolves when the owners have answered everything that was forwarded, or when they have had enough time. */
  answered(): Promise<void>;
  close(): Promise<void>;
}

/** How long a replica that stops waits for answers of owners, from the first time that it does. */
const LAST_ANSWERS: Millis = 5_000;

export function openRouting(options: RoutingOptions): Routing {
  const { pause } = options;
  const client = new ReplicaClient();
  const owners = new Owners(client, options);
  const over = new AbortController();
  let limit: Promise<void> | undefined;
  const answered = async (): Promise<void> => {
    limit ??= pause(LAST_ANSWERS, over.signal).catch(() => {});
    await Promise.race([client.answered(), limit]);
  };
  return {
    handlers: [answerForwardedOrders(owners, options), forwardOrders(owners, options)],
    forwardCalls: forwardCalls(client, options),
    answered,
    async close() {
      owners.endAll();
      await answered();
      over.abort();
      await client.close();
    },
  };
}
