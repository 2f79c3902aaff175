import { isSameSecret } from "../../gateway/adapters/same-secret.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { AccountOwnership, Replica } from "../../gateway/ports/account-ownership.ts";
import { NotTheOwner, OwnerLost } from "../../gateway/ports/journal-store.ts";
import { type ForwardedCall, type ReplicaClient, ReplicaUnreachable } from "./replica-client.ts";
import { ControlCall } from "./control-call.ts";
import { findSandbox, type AccountWithOwner, ownerNow, type SeekOptions, untilOwned, withOwner } from "./with-owner.ts";

export interface ForwardCallOptions extends SeekOptions {
  readonly client: ReplicaClient;
}

/** Answers a control API call. */
type AnswerCall = (request: Request) => Promise<Response>;

/** Answers a call, whose body is already read, here or at the replica that owns what it is about. */
export type ForwardCall = (
  request: Request,
  body: Uint8Array<ArrayBuffer> | undefined,
  answer: AnswerCall,
) => Promise<Response>;

/** The request header that stops further forwarding. Its value is the replicas' shared secret. */
const FORWARDED = "x-kredo-forwarded";

/** The response header that says that another replica owns the account, and that nothing was done. */
const MOVED = "x-kredo-moved";

/** Forwards each control API call to the replica that owns what it is about. */
export function forwardCalls(options: ForwardCallOptions): ForwardCall {
  const { ownership } = options;
  return async (request, body, answer) => {
    const call = new ControlCall(request, body);
    const presented = request.headers.get(FORWARDED);
    try {
      if (presented !== null && isSameSecret(ownership.secret, presented))
        return await answerForwarded(call, answer, ownership);
      return await answerOrForward(call, answer, options);
    } catch (problem) {
      if (request.signal.aborted) return new Response(null, { status: 400 });
      throw problem;
    }
  };
}

async function answerForwarded(call: ControlCall, answer: AnswerCall, ownership: AccountOwnership): Promise<Response> {
  const { account } = call;
  try {
    if (account !== undefined && (await ownerNow(account, ownership)).kind !== "self") throw new NotTheOwner(account);
    return await answerHere(call, answer, account, ownership);
  } catch (problem) {
    if (!(problem instanceof NotTheOwner)) throw problem;
    return new Response(null, { status: 421, headers: { [MOVED]: "1" } });
  }
}

async function answerOrForward(call: ControlCall, answer: AnswerCall, options: ForwardCallOptions): Promise<Response> {
  const { ownership } = options;
  const account = await named(call.account, ownership);
  const here = (): Promise<Response> => answerHere(call, answer, account, ownership);
  const there = (owner: Replica): Promise<Response> =>
    callReplica(owner, call.callFor(account, [FORWARDED, ownership.secret]), options);
  if (call.listsAccounts) return listAccounts(here, there, options);
  if (account === undefined) return here();
  const find = (): Promise<AccountWithOwner> =>
    account === SANDBOX_JOURNAL ? findSandbox(ownership) : findAccount(account, ownership);
  return withOwner(find, { here, there }, options);
}

/** Lists the accounts of all replicas, in the order in which they were created. */
async function listAccounts(
  here: () => Promise<Response>,
  there: (replica: Replica) => Promise<Response>,
  options: SeekOptions,
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

/** Resolves `default` to the first account of the sandbox, whichever replica owns it. */
async function named(account: string | undefined, ownership: AccountOwnership): Promise<string | undefined> {
  if (account !== "default") return account;
  const accounts = await ownership.accounts();
  return accounts.includes(account) ? account : (accounts[0] ?? account);
}

/** If nobody owns the account, this replica answers that it does not exist. */
async function findAccount(account: string, ownership: AccountOwnership): Promise<AccountWithOwner> {
  const owner = await ownership.ownerOf(account);
  return { account, owner: owner.kind === "nobody" ? { kind: "self" } : owner };
}

/** Also throws `NotTheOwner` if the account was not found because it was handed over before the call was read. */
async function answerHere(
  call: ControlCall,
  answer: AnswerCall,
  account: string | undefined,
  ownership: AccountOwnership,
): Promise<Response> {
  const response = await answer(call.requestFor(account));
  if (response.status === 404 && account !== undefined && (await ownership.ownerOf(account)).kind === "replica")
    throw new NotTheOwner(account);
  return response;
}

/** Twice is the same as once (RFC 9110 section 9.2.2); a second DELETE would find nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT"]);

async function callReplica(
  owner: Replica,
  call: ForwardedCall,
  { client, ownership }: ForwardCallOptions,
): Promise<Response> {
  const signal = AbortSignal.any([call.signal, ownership.leaseOf(owner)]);
  const response = await client.call(owner, { ...call, signal }).catch((problem: unknown) => {
    if (problem instanceof ReplicaUnreachable || call.signal.aborted) throw problem;
    const lost = `the replica at ${owner.url} broke off (${messageOf(problem)})`;
    throw REPEATABLE.has(call.method)
      ? new ReplicaUnreachable(lost)
      : new OwnerLost(`${lost}, and may have carried out the call`);
  });
  if (response.headers.has(MOVED)) throw new NotTheOwner(call.target);
  return response;
}
