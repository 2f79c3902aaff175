import type { Context, MiddlewareHandler } from "hono";
import { Refused } from "../../gateway/domain/refusal.ts";
import { claimedKey } from "../../gateway/http/authenticate.ts";
import { type Bindings, type GatewayEnv, type WaitingClient, whenResponseEnds } from "../../gateway/http/bindings.ts";
import { NO_BODY, readBody } from "../../gateway/http/body.ts";
import { receiveHead } from "../../gateway/http/received-request.ts";
import { toResponse } from "../../gateway/http/reply.ts";
import { breakConnection, playScript } from "../../gateway/http/respond.ts";
import { type Replica, NoOwner } from "../journal/account-ownership.ts";
import type { ForwardedRequest, Owners } from "./owners.ts";
import { type AccountWithOwner, findSandbox, type RoutingOptions, withOwner } from "./with-owner.ts";

/** Forwards each gateway request to the replica that owns its account. */
export function forwardOrders(owners: Owners, options: RoutingOptions): MiddlewareHandler<GatewayEnv> {
  return (c, next) => {
    // Another replica has already looked up the owner.
    if (c.env.playElsewhere !== undefined) return next();
    const key = claimedKey(c.req.header("authorization"));
    const here = once(() => {
      // The account may move to another replica meanwhile, which then needs the whole body.
      if (c.req.method === "POST") void readBody(c.env, () => true).catch(() => {});
      return next();
    });
    return withOwner<Response | void>(
      () => ownerFor(key, options),
      (owner, account) => (owner.kind === "self" ? here() : askOwner(c, owner, account, owners, options)),
      options,
    );
  };
}

/** Requests with keys that stay unknown belong to no account. */
async function ownerFor(key: string | undefined, { ownership, opensFor }: RoutingOptions): Promise<AccountWithOwner> {
  if (key === undefined) return findSandbox(ownership);
  const owner = await ownership.ownerOf(key);
  if (owner.kind !== "nobody") return { account: key, owner };
  return opensFor(key) ? { account: key, owner: await ownership.claim(key) } : findSandbox(ownership);
}

/** Sends a request to its account's owner, and responds to the client as the owner says. */
async function askOwner(
  c: Context<GatewayEnv>,
  owner: Replica,
  account: string,
  owners: Owners,
  options: RoutingOptions,
): Promise<Response> {
  const { stopping, finishNow, pause } = options;
  const request = await readWhole(c);
  // The connection is about to be closed, so the client would not learn that its order was carried out.
  if (stopping.aborted) throw new NoOwner("this replica is stopping; ask another one");
  const [id, answer] = await owners.ask(owner, account, request);
  // The owner notices by itself that a client waits.
  const client: WaitingClient = { isClosedBySandbox: false, onEndlessWait: () => {} };
  whenResponseEnds(c.env, (ended) =>
    owners.end(id, { ...ended, isClosedBySandbox: client.isClosedBySandbox || stopping.aborted }),
  );
  if (answer !== undefined) {
    const { wire, script } = answer;
    if (script === undefined) return toResponse(wire);
    const timing = { pause, stopping, finishNow: AbortSignal.any([finishNow, owners.finishSignalOf(id)]) };
    return toResponse(await playScript(c.env, wire, script, timing, client));
  }
  // The request may have been carried out, so the client sees what it would see if a gateway crashed.
  const wire = { status: 503, headers: {}, body: "" };
  return breakConnection(c.env.outgoing, "reset", {
    wire,
    isAccepted: false,
    left: stopping,
    finishNow,
    client,
    pause,
  });
}

/** Reads the request with its body, or takes what was read before the account moved. */
async function readWhole(c: Context<GatewayEnv>): Promise<ForwardedRequest> {
  const request = receiveHead(c, 0);
  const body = request.method === "GET" || request.method === "HEAD" ? NO_BODY : await readBodyUnlessTooLarge(c.env);
  return { ...request, url: c.req.url, body: body && Buffer.from(body).toString("latin1") };
}

/** Resolves to undefined if the body is too large; the owner then refuses the request. */
async function readBodyUnlessTooLarge(env: Bindings): Promise<Uint8Array | undefined> {
  return readBody(env, () => true).catch((problem: unknown) => {
    if (!(problem instanceof Refused)) throw problem;
    return undefined;
  });
}

/** Runs a job at most once, because Hono runs the next handler of a request only once. */
function once<T>(job: () => Promise<T>): () => Promise<T> {
  let isDone = false;
  return () => {
    if (isDone) throw new NoOwner("its owner changed twice while the request was being answered");
    isDone = true;
    return job();
  };
}
