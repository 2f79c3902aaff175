import type { Forwarding } from "../../gateway/http/gateway.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { AccountOwnership } from "./account-ownership.ts";
import { NotTheOwner } from "../../gateway/ports/journal-store.ts";
import { type ForwardCall, forwardCalls } from "./forward-calls.ts";
import { forwardOrders } from "./forward-orders.ts";
import { takeForwarded } from "./forwarded-orders.ts";
import { Owners } from "./owners.ts";
import { ReplicaClient } from "./replica-client.ts";
import type { RoutingOptions } from "./with-owner.ts";

/** Forwards requests and control calls to the replica that owns their account, and accepts those that the others forward. */
export interface Routing extends Forwarding {
  readonly forwardCall: ForwardCall;
}

/** How long a replica that stops waits for answers of owners. */
const LAST_ANSWERS: Millis = 8_000;

export function openRouting(options: RoutingOptions): Routing {
  const { ownership, pause } = options;
  const client = new ReplicaClient();
  const owners = new Owners(client, options);
  const answered = async (): Promise<void> => {
    const over = new AbortController();
    const limit = pause(LAST_ANSWERS, over.signal).catch(() => {});
    await Promise.race([client.answered(), limit]);
    over.abort();
  };
  return {
    handlers: [takeForwarded(options), forwardOrders(owners, options)],
    openUnknown: (key) => options.openUnknown(key) ?? refuseForeign(key, ownership),
    forwardCall: forwardCalls(client, options),
    answered,
    async close() {
      owners.endAll();
      await answered();
      await client.close();
    },
  };
}

/** Throws if another replica owns the account: it may have been handed over while the request was being read. */
async function refuseForeign(consumerKey: string, ownership: AccountOwnership): Promise<undefined> {
  const { kind } = await ownership.ownerOf(consumerKey);
  if (kind !== "nobody") throw new NotTheOwner(consumerKey);
}
