import type { MiddlewareHandler } from "hono";
import { acceptReplica } from "../adapters/replicas/accept-replica.ts";
import { isSameSecret } from "../adapters/same-secret.ts";
import { messageSocket } from "../adapters/replicas/message-socket.ts";
import { undiciLinks } from "../adapters/replicas/undici-links.ts";
import type { ListenAt } from "../adapters/server/node-server.ts";
import type { AuthDependencies } from "../http/authenticate.ts";
import { type ForwardedOptions, takeForwarded } from "../http/forward/forwarded-requests.ts";
import { type ForwardOptions, forwardRequest } from "../http/forward/forward-request.ts";
import { type AnswerCall, forwardCalls } from "../http/forward/forward-call.ts";
import { OwnerLinks } from "../http/forward/owner-links.ts";
import type { GatewayEnv } from "../http/connection.ts";
import type { AccountOwnership } from "../ports/account-ownership.ts";
import { NotTheOwner } from "../ports/journal-store.ts";
import type { MessageStream } from "../ports/replica-links.ts";

export interface RoutingOptions
  extends Pick<AuthDependencies, "openUnknown">, Omit<ForwardOptions, "owners">, Omit<ForwardedOptions, "fetch"> {}

/** Forwards requests to the replica that owns their account, and accepts those that the others forward. */
export interface Routing {
  readonly forward: MiddlewareHandler<GatewayEnv>;
  readonly forwardCalls: (answer: AnswerCall) => AnswerCall;
  readonly openUnknown: AuthDependencies["openUnknown"];
  /** Returns the listener option that accepts connections from other replicas. */
  listenFor(app: Pick<ForwardedOptions, "fetch">): Pick<ListenAt, "onConnect">;
  close(): Promise<void>;
}

export function openRouting(options: RoutingOptions): Routing {
  const { ownership } = options;
  const links = undiciLinks();
  const owners = new OwnerLinks(links, ownership);
  const taken = new Set<MessageStream>();
  return {
    forward: forwardRequest({ ...options, owners }),
    openUnknown: (key) => options.openUnknown(key) ?? refuseForeign(key, ownership),
    forwardCalls: (answer) => forwardCalls(answer, { ...options, links }),
    listenFor: ({ fetch }) => ({
      onConnect: (request, socket) => {
        if (!acceptReplica(request, socket, (presented) => isSameSecret(ownership.secret, presented))) return;
        const stream = takeForwarded((handler) => messageSocket(socket, handler), { ...options, fetch });
        taken.add(stream);
        socket.once("close", () => taken.delete(stream));
      },
    }),
    async close() {
      for (const stream of taken) stream.close();
      await owners.close();
      await links.close();
    },
  };
}

/** Throws if another replica owns the account: it may have been handed over while the request was being read. */
async function refuseForeign(consumerKey: string, ownership: AccountOwnership): Promise<undefined> {
  const { kind } = await ownership.ownerOf(consumerKey);
  if (kind !== "nobody") throw new NotTheOwner(consumerKey);
}
