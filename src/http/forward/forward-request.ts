import type { Context, MiddlewareHandler } from "hono";
import { Refused } from "../../domain/refusal.ts";
import { type AccountOwnership, Unowned } from "../../ports/account-ownership.ts";
import type { Replica } from "../../ports/journal-engine.ts";
import { NotTheOwner } from "../../ports/journal-store.ts";
import { claimedKey } from "../authenticate.ts";
import { type Bindings, type GatewayEnv, readBody, readHead, type WaitingClient, whenAnswered } from "../connection.ts";
import { toResponse } from "../reply.ts";
import { breakConnection, respond, type ResponseTiming } from "../respond.ts";
import type { ForwardedRequest } from "./messages.ts";
import type { OwnerLinks } from "./owner-links.ts";
import { findSandbox, type AccountWithOwner, withOwner } from "./with-owner.ts";

export interface ForwardOptions extends ResponseTiming {
  readonly ownership: AccountOwnership;
  readonly owners: OwnerLinks;
  /** Returns whether an unknown consumer key opens an account. */
  readonly opensFor: (consumerKey: string) => boolean;
}

/** Forwards each gateway request to the replica that owns its account. */
export function forwardRequest(options: ForwardOptions): MiddlewareHandler<GatewayEnv> {
  return (c, next) => {
    // Another replica has already looked up the owner.
    if (c.env.forwarded !== undefined) return next();
    const key = claimedKey(c.req.header("authorization"));
    const attempts = {
      here: once(next),
      there: (owner: Replica, account: string) => askOwner(c, { owner, account }, options),
    };
    return withOwner<Response | void>(() => ownerFor(key, options), attempts, options);
  };
}

/** Requests with keys that stay unknown belong to no account. */
async function ownerFor(key: string | undefined, { ownership, opensFor }: ForwardOptions): Promise<AccountWithOwner> {
  if (key === undefined) return findSandbox(ownership);
  const owner = await ownership.ownerOf(key);
  if (owner.kind !== "nobody") return { account: key, owner };
  return opensFor(key) ? { account: key, owner: await ownership.claim(key) } : findSandbox(ownership);
}

interface AskOptions {
  readonly owner: Replica;
  readonly account: string;
}

/** Sends a request to its account's owner, and responds to the client as the owner says. */
async function askOwner(
  c: Context<GatewayEnv>,
  { owner, account }: AskOptions,
  options: ForwardOptions,
): Promise<Response> {
  const request = await readWhole(c);
  const link = await options.owners.to(owner);
  const { stopping } = options;
  const { reply, wait, end } = link.ask(account, request);
  const client: WaitingClient = { isClosedBySandbox: false, onEndlessWait: wait };
  whenAnswered(c.env, (ended) => end({ ...ended, isClosedBySandbox: client.isClosedBySandbox || stopping.aborted }));
  const answer = await reply;
  switch (answer.kind) {
    case "moved":
      throw new NotTheOwner(account);
    case "lost":
      // The request may have been carried out, so the client sees what it would see if a gateway crashed.
      return breakConnection(c.env.outgoing, "reset", {
        wire: NOTHING,
        isAccepted: false,
        left: stopping,
        client,
        pause: options.pause,
      });
    case "answer":
      return toResponse(await respond(c.env, answer.wire, answer.script, options, client));
  }
}

const NOTHING = { status: 503, headers: {}, body: "" };

/** Reads the request with its body, only once, however often the owner changes. */
async function readWhole(c: Context<GatewayEnv>): Promise<ForwardedRequest> {
  const read = c.env.read ?? (await readNow(c));
  c.env = { ...c.env, read };
  const { request, body } = read;
  return { ...request, url: c.req.url, body: body && Buffer.from(body).toString("latin1") };
}

async function readNow(c: Context<GatewayEnv>): Promise<NonNullable<Bindings["read"]>> {
  const request = readHead(c, 0);
  const isEmpty = request.method === "GET" || request.method === "HEAD";
  return { request, body: isEmpty ? request.body : await bodyOf(c.env) };
}

/** Returns undefined if the body is too large; the owner then refuses the request. */
async function bodyOf(bindings: Bindings): Promise<Uint8Array | undefined> {
  try {
    return await readBody(bindings, () => true);
  } catch (problem) {
    if (problem instanceof Refused) return undefined;
    throw problem;
  }
}

/** Runs a job at most once, because Hono runs the next handler of a request only once. */
function once<T>(job: () => Promise<T>): () => Promise<T> {
  let isDone = false;
  return () => {
    if (isDone) throw new Unowned("its owner changed twice while the request was being answered");
    isDone = true;
    return job();
  };
}
