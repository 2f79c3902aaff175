import { HOP_BY_HOP } from "../../gateway/domain/headers.ts";
import { isSameSecret } from "../../gateway/http/same-secret.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { AccountOwnership, Replica } from "../journal/account-ownership.ts";
import { NotTheOwner, OwnerLost } from "../../gateway/ports/journal-store.ts";
import { type ReplicaClient, ReplicaUnreachable } from "./replica-client.ts";
import {
  type AccountWithOwner,
  expectToOwn,
  findSandbox,
  type RoutingOptions,
  untilOwned,
  withOwner,
} from "./with-owner.ts";

/** Answers a call, whose body is already read, here or at the replica that owns what it is about. */
export type ForwardCall = (
  request: Request,
  body: Uint8Array<ArrayBuffer> | undefined,
  answer: (request: Request) => Promise<Response>,
) => Promise<Response>;

/** A control API call that may be tried on several replicas. */
interface ControlCall {
  readonly request: Request;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** What it is about: an account, the journal of requests without one, or undefined if no single replica owns it. */
  readonly account: string | undefined;
  /** The path with the query, in which the account has its own name instead of `default`. */
  readonly target: string;
}

/** The request header that stops further forwarding. Its value is the replicas' shared secret. */
const FORWARDED = "x-kredo-forwarded";

/** The response header that says that another replica owns the account, and that nothing was done. */
const MOVED = "x-kredo-moved";

/** Forwards each control API call to the replica that owns what it is about. */
export function forwardCalls(client: ReplicaClient, options: RoutingOptions): ForwardCall {
  const { ownership } = options;
  return async (request, body, answer) => {
    const presented = request.headers.get(FORWARDED);
    try {
      const call = await readCall(request, body, ownership);
      const { account } = call;
      const here = (): Promise<Response> => answerHere(call, answer, ownership);
      if (presented !== null && isSameSecret(ownership.secret, presented))
        return await answerForwarded(account, here, ownership);
      const there = (owner: Replica): Promise<Response> => callReplica(owner, call, client, ownership);
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
  account: string | undefined,
  here: () => Promise<Response>,
  ownership: AccountOwnership,
): Promise<Response> {
  try {
    if (account !== undefined) await expectToOwn(account, ownership);
    return await here();
  } catch (problem) {
    if (!(problem instanceof NotTheOwner)) throw problem;
    return new Response(null, { status: 421, headers: { [MOVED]: "1" } });
  }
}

/** Lists the accounts of all replicas, in the order in which they were created. */
async function listAccounts(
  here: () => Promise<Response>,
  there: (replica: Replica) => Promise<Response>,
  options: RoutingOptions,
): Promise<Response> {
  const { ownership } = options;
  return untilOwned(async () => {
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

/** Also throws `NotTheOwner` if the account was not found because it was handed over before the call was read. */
async function answerHere(
  { request: { url, method, headers, signal }, body, account, target }: ControlCall,
  answer: (request: Request) => Promise<Response>,
  ownership: AccountOwnership,
): Promise<Response> {
  const response = await answer(new Request(`${new URL(url).origin}${target}`, { method, headers, signal, body }));
  if (response.status === 404 && account !== undefined && (await ownership.ownerOf(account)).kind === "replica")
    throw new NotTheOwner(account);
  return response;
}

/** Headers that concern this connection only, or that are set anew. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, "expect", "content-length", FORWARDED]);

/** Twice is the same as once (RFC 9110 section 9.2.2); a second DELETE would find nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT"]);

async function callReplica(
  owner: Replica,
  { request: { method, headers: received, signal }, body, target }: ControlCall,
  client: ReplicaClient,
  ownership: AccountOwnership,
): Promise<Response> {
  const headers = [...received].filter(([name]) => !NOT_FORWARDED.has(name));
  headers.push([FORWARDED, ownership.secret]);
  const until = AbortSignal.any([signal, ownership.leaseOf(owner)]);
  const response = await client
    .call(owner, { method, path: target, headers: headers.flat(), body, signal: until })
    .catch((problem: unknown) => {
      if (problem instanceof ReplicaUnreachable || signal.aborted) throw problem;
      const lost = `the replica at ${owner.url} broke off (${messageOf(problem)})`;
      throw REPEATABLE.has(method)
        ? new ReplicaUnreachable(lost)
        : new OwnerLost(`${lost}, and may have carried out the call`);
    });
  if (response.headers.has(MOVED)) throw new NotTheOwner(target);
  return response;
}
