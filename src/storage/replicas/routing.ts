import type { MiddlewareHandler } from "hono";
import type { AuthDependencies } from "../../gateway/http/authenticate.ts";
import type { GatewayEnv } from "../../gateway/http/connection.ts";
import type { AccountOwnership } from "../../gateway/ports/account-ownership.ts";
import { NotTheOwner } from "../../gateway/ports/journal-store.ts";
import { type ForwardCall, forwardCalls } from "./forward-calls.ts";
import { forwardOrders, type ForwardOptions } from "./forward-orders.ts";
import { type ForwardedOptions, takeForwarded } from "./forwarded-orders.ts";
import { Owners } from "./owners.ts";
import { ReplicaClient } from "./replica-client.ts";

export interface RoutingOptions
  extends Pick<AuthDependencies, "openUnknown">, Omit<ForwardOptions, "owners">, ForwardedOptions {}

/** Forwards requests to the replica that owns their account, and accepts those that the others forward. */
export interface Routing {
  readonly handlers: readonly MiddlewareHandler<GatewayEnv>[];
  readonly forwardCall: ForwardCall;
  readonly openUnknown: AuthDependencies["openUnknown"];
  /** Resolves when the owners have answered everything that was forwarded, or when they have had enough time. */
  answered(): Promise<void>;
  close(): Promise<void>;
}

export function openRouting(options: RoutingOptions): Routing {
  const { ownership } = options;
  const client = new ReplicaClient();
  const owners = new Owners({ ...options, client });
  return {
    handlers: [takeForwarded(options), forwardOrders({ ...options, owners })],
    openUnknown: (key) => options.openUnknown(key) ?? refuseForeign(key, ownership),
    forwardCall: forwardCalls({ ...options, client }),
    answered: () => owners.answered(),
    async close() {
      await owners.close();
      await client.close();
    },
  };
}

/** Throws if another replica owns the account: it may have been handed over while the request was being read. */
async function refuseForeign(consumerKey: string, ownership: AccountOwnership): Promise<undefined> {
  const { kind } = await ownership.ownerOf(consumerKey);
  if (kind !== "nobody") throw new NotTheOwner(consumerKey);
}
