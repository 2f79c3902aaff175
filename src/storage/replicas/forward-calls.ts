import type { Context, MiddlewareHandler, Next } from "hono";
import type { Bindings } from "../../gateway/http/bindings.ts";
import { HOP_BY_HOP } from "../../gateway/domain/headers.ts";
import { isSameSecret } from "../../gateway/http/same-secret.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { AccountOwnership, Replica } from "../journal/account-ownership.ts";
import { NotTheOwner, OwnerLost } from "../../gateway/ports/journal-store.ts";
import { type ReplicaClient, ReplicaUnreachable } from "./replica-client.ts";
import {
  type AccountWithOwner,
  expectOwnership,
  findSandbox,
  type RoutingOptions,
  retryUntilOwned,
  withOwner,
} from "./with-owner.ts";

/** A control API call that may be tried on several replicas. */
interface ControlCall {
  readonly request: Request;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** What it is about: an account, the journal of requests without one, or undefined if no single replica owns it. */
  readonly account: string | undefined;
  /** The path with the query, in which the account has its own name instead of `default`. */
  readonly target: string;
}

/** The request header of a call that another replica has forwarded. Its value is the replicas' shared secret. */
const FORWARDED = "x-kredo-forwarded";

/** The response header that says that another replica owns the account, and that nothing was done. */
const MOVED = "x-kredo-moved";

/** A control API behind its checks, with the body of a call already read. */
type CheckedEnv = { Bindings: Bindings; Variables: { bytes: Uint8Array<ArrayBuffer> | undefined } };

/** Has each control API call answered by the replica that owns what it is about. */
export function forwardCalls(client: ReplicaClient, options: RoutingOptions): MiddlewareHandler<CheckedEnv> {
  const { ownership, fetch } = options;
  /** The requests that this replica has found to be its own. */
  const own = new WeakSet<Request>();
  return async (c, next) => {
    const { raw: request } = c.req;
    const call = await readCall(request, c.var.bytes, ownership);
    const { account } = call;
    if (own.has(request)) return answerOwn(c, next, account, ownership);
    const presented = c.req.header(FORWARDED);
    if (presented !== undefined && isSameSecret(ownership.secret, presented))
      return answerForwarded(c, next, account, ownership);
    const here = async (): Promise<Response> => {
      const again = addressed(call);
      own.add(again);
      return unlessMoved(await fetch(again, c.env), call);
    };
    const there = (owner: Replica): Promise<Response> => callReplica(owner, call, client, ownership);
    try {
      if (request.method === "GET" && /^\/__admin\/accounts(\?|$)/.test(call.target))
        return await listAccounts(here, there, options);
      if (account === undefined) return await here();
      const find = (): Promise<AccountWithOwner> => findOwner(account, ownership);
      return await withOwner(find, (owner) => (owner.kind === "self" ? here() : there(owner)), options);
    } catch (problem) {
      if (request.signal.aborted) return new Response(null, { status: 400 });
      throw problem;
    }
  };
}

async function readCall(
  request: Request,
  body: Uint8Array<ArrayBuffer> | undefined,
  ownership: AccountOwnership,
): Promise<ControlCall> {
  const { pathname, search } = new URL(request.url);
  const account = await named(accountIn(pathname), ownership);
  const path =
    account === undefined
      ? pathname
      : pathname.replace(/^(\/__admin\/accounts\/)[^/]*/, (_, start: string) => start + encodeURIComponent(account));
  return { request, body, account, target: `${path}${search}` };
}

function accountIn(pathname: string): string | undefined {
  const [, , collection = "", name] = pathname.split("/");
  if (collection !== "accounts" || name === undefined)
    return OF_THE_SANDBOX.has(collection) ? SANDBOX_JOURNAL : undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    // Invalid encoding cannot be an account name; the API reports it.
    return undefined;
  }
}

/** Paths below /__admin that concern the journal of requests without an account. */
const OF_THE_SANDBOX = new Set(["events", "findings"]);

/** Resolves `default` to the first account of the sandbox, whichever replica owns it. */
async function named(account: string | undefined, ownership: AccountOwnership): Promise<string | undefined> {
  if (account !== "default") return account;
  const accounts = await ownership.accounts();
  return accounts.includes(account) ? account : (accounts[0] ?? account);
}

async function answerForwarded(
  c: Context<CheckedEnv>,
  next: Next,
  account: string | undefined,
  ownership: AccountOwnership,
): Promise<void> {
  const isOwned = account === undefined || (await ownsNow(account, ownership));
  if (isOwned) await answerOwn(c, next, account, ownership);
  else c.res = moved();
}

/** Says so if another replica owns the account: it may have been handed over before the call was read. */
async function answerOwn(
  c: Context<CheckedEnv>,
  next: Next,
  account: string | undefined,
  ownership: AccountOwnership,
): Promise<void> {
  try {
    await next();
  } catch (problem) {
    if (!(problem instanceof NotTheOwner)) throw problem;
    c.res = moved();
  }
  if (c.res.status !== 404 || account === undefined) return;
  if ((await ownership.ownerOf(account)).kind === "replica") c.res = moved();
}

function moved(): Response {
  return new Response(null, { status: 421, headers: { [MOVED]: "1" } });
}

async function ownsNow(account: string, ownership: AccountOwnership): Promise<boolean> {
  try {
    await expectOwnership(account, ownership);
    return true;
  } catch (problem) {
    if (problem instanceof NotTheOwner) return false;
    throw problem;
  }
}

/** Lists the accounts of all replicas, in the order in which they were created. */
async function listAccounts(
  here: () => Promise<Response>,
  there: (replica: Replica) => Promise<Response>,
  options: RoutingOptions,
): Promise<Response> {
  const { ownership } = options;
  return retryUntilOwned(async () => {
    const answers = await Promise.all(
      ownership.replicas().map((replica) => (replica.isSelf ? here() : there(replica))),
    );
    const refused = answers.find(({ ok }) => !ok);
    if (refused !== undefined) return refused;
    const lists = await Promise.all(
      answers.map(async (answer): Promise<AccountList> => JSON.parse(await answer.text())),
    );
    const found = new Map(lists.flatMap(({ items }) => items.map((item) => [item.consumer_key, item])));
    const accounts = await ownership.accounts();
    const items = accounts.flatMap((account) => found.get(account) ?? []);
    if (items.length === accounts.length) return Response.json({ items, total: items.length });
    throw new NotTheOwner(accounts.find((account) => !found.has(account)) ?? "");
  }, options);
}

interface AccountList {
  readonly items: readonly { readonly consumer_key: string }[];
}

/** If nobody owns the account, this replica answers that it does not exist. */
async function findOwner(account: string, ownership: AccountOwnership): Promise<AccountWithOwner> {
  if (account === SANDBOX_JOURNAL) return findSandbox(ownership);
  const owner = await ownership.ownerOf(account);
  return { account, owner: owner.kind === "nobody" ? { kind: "self" } : owner };
}

/** Throws `NotTheOwner` if nothing was done because another replica owns the account. */
function unlessMoved(response: Response, { target }: ControlCall): Response {
  if (response.headers.has(MOVED)) throw new NotTheOwner(target);
  return response;
}

/** Returns a call under its account's own name. */
function addressed({ request: { url, method, headers, signal }, body, target }: ControlCall): Request {
  return new Request(`${new URL(url).origin}${target}`, { method, headers, signal, body });
}

/** Headers that concern this connection only, or that are set anew. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, "expect", "content-length", FORWARDED]);

/** Twice is the same as once (RFC 9110 section 9.2.2); a second DELETE would find nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT"]);

async function callReplica(
  owner: Replica,
  call: ControlCall,
  client: ReplicaClient,
  ownership: AccountOwnership,
): Promise<Response> {
  const { method, headers: received, signal } = call.request;
  const headers = [...received].filter(([name]) => !NOT_FORWARDED.has(name));
  headers.push([FORWARDED, ownership.secret]);
  const until = AbortSignal.any([signal, ownership.leaseOf(owner)]);
  const response = await client
    .call(owner, { method, path: call.target, headers: headers.flat(), body: call.body, signal: until })
    .catch((problem: unknown) => {
      if (problem instanceof ReplicaUnreachable || signal.aborted) throw problem;
      const lost = `the replica at ${owner.url} broke off (${messageOf(problem)})`;
      throw REPEATABLE.has(method)
        ? new ReplicaUnreachable(lost)
        : new OwnerLost(`${lost}, and may have carried out the call`);
    });
  return unlessMoved(response, call);
}
