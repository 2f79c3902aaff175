import type { Millis } from "../../gateway/domain/time.ts";
import { type AccountOwnership, type Owner, NoOwner } from "../journal/account-ownership.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { NotTheOwner, StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { AuthDependencies } from "../../gateway/http/authenticate.ts";
import type { Bindings } from "../../gateway/http/bindings.ts";
import type { ResponseTiming } from "../../gateway/http/respond.ts";
import { ReplicaUnreachable } from "./replica-client.ts";

/** An account and its owner. */
export interface AccountWithOwner {
  readonly account: string;
  readonly owner: Owner;
}

/** What a replica needs to forward requests, and to answer those that others forward. */
export interface RoutingOptions extends ResponseTiming, Pick<AuthDependencies, "openUnknown" | "opensFor"> {
  readonly ownership: AccountOwnership;
  /** Handles a request as if its client were connected here. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
}

/** A request waits until a dead replica's lease is over, and then this long for the takeover of its accounts. */
const TAKE_OVER: Millis = 5_000;
const BETWEEN_ATTEMPTS_MILLIS: Millis = 100;

/**
 * Has a request answered by the account's owner, and finds the owner again if it has changed: if `answer` rejects with `NotTheOwner` or
 * `ReplicaUnreachable`, nothing was done. Rejects with `NoOwner` if that takes longer than a takeover.
 */
export async function withOwner<Answer>(
  find: () => Promise<AccountWithOwner>,
  answer: (owner: Exclude<Owner, { kind: "nobody" }>, account: string) => Promise<Answer>,
  options: RoutingOptions,
): Promise<Answer> {
  return retryUntilOwned(async () => {
    const { account, owner } = await find();
    try {
      if (owner.kind === "nobody") throw new NotTheOwner(account);
      return await answer(owner, account);
    } catch (problem) {
      options.ownership.forget(account);
      throw problem;
    }
  }, options);
}

/** Repeats an attempt while the account moves between replicas. Rejects with `NoOwner` if that takes longer than a takeover. */
export async function retryUntilOwned<Answer>(
  attempt: () => Promise<Answer>,
  { ownership, pause, stopping }: RoutingOptions,
): Promise<Answer> {
  const answered = new AbortController();
  let limit: Promise<void> | undefined;
  let isLate = false;
  const late = (): void => void (isLate = true);
  try {
    for (;;) {
      const failed = await attempt().then((answer) => ({ answer }), moveOf);
      if ("answer" in failed) return failed.answer;
      if (isLate || stopping.aborted) throw new NoOwner(failed.message);
      limit ??= pause(ownership.lease + TAKE_OVER, answered.signal).then(late, () => {});
      await pause(BETWEEN_ATTEMPTS_MILLIS, stopping).catch(() => {});
    }
  } finally {
    answered.abort();
  }
}

function moveOf(problem: unknown): Error {
  if (problem instanceof NotTheOwner || problem instanceof ReplicaUnreachable) return problem;
  throw problem;
}

/**
 * Throws `NotTheOwner` unless this replica owns an account that another one expects here. Looks the owner up again if it is known as
 * another's. Throws it also if this replica cannot tell, or is stopping.
 */
export async function expectOwnership(account: string, ownership: AccountOwnership): Promise<void> {
  try {
    if ((await ownership.ownerOf(account)).kind === "replica") ownership.forget(account);
    if ((await ownership.ownerOf(account)).kind === "self") return;
  } catch (problem) {
    if (!(problem instanceof StoreOutage)) throw problem;
  }
  throw new NotTheOwner(account);
}

/** Returns the owner of the journal of requests that belong to no account. The first replica that asks becomes the owner. */
export async function findSandbox(ownership: AccountOwnership): Promise<AccountWithOwner> {
  const owner = await ownership.ownerOf(SANDBOX_JOURNAL);
  return { account: SANDBOX_JOURNAL, owner: owner.kind === "nobody" ? await ownership.claim(SANDBOX_JOURNAL) : owner };
}
