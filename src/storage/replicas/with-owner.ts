import type { Millis } from "../../gateway/domain/time.ts";
import { type AccountOwnership, type Owner, Unowned, type Replica } from "../../gateway/ports/account-ownership.ts";
import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { NotTheOwner, StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { Pause } from "../../gateway/ports/wall-clock.ts";
import { ReplicaUnreachable } from "./replica-client.ts";

/** An account and its owner. */
export interface AccountWithOwner {
  readonly account: string;
  readonly owner: Owner;
}

/**
 * How to answer a request here, or on another replica. Both reject with `NotTheOwner` if nothing was done because another replica owns the
 * account.
 */
export interface Attempts<Answer> {
  readonly here: () => Promise<Answer>;
  /** Also rejects with `ReplicaUnreachable`. */
  readonly there: (owner: Replica, account: string) => Promise<Answer>;
}

export interface SeekOptions {
  readonly ownership: AccountOwnership;
  readonly pause: Pause;
  readonly stopping: AbortSignal;
}

/** A request waits until a dead replica's lease is over, and then this long for the takeover of its accounts. */
const TAKE_OVER: Millis = 5_000;
const BETWEEN: Millis = 100;

/**
 * Has a request answered by the account's owner, and finds the owner again if it has changed. Rejects with `Unowned` if that takes longer
 * than a takeover.
 */
export async function withOwner<Answer>(
  find: () => Promise<AccountWithOwner>,
  { here, there }: Attempts<Answer>,
  options: SeekOptions,
): Promise<Answer> {
  return untilOwned(async () => {
    const { account, owner } = await find();
    try {
      if (owner.kind === "nobody") throw new NotTheOwner(account);
      return await (owner.kind === "self" ? here() : there(owner, account));
    } catch (problem) {
      options.ownership.forget(account);
      throw problem;
    }
  }, options);
}

/** Repeats an attempt while the account moves between replicas. Rejects with `Unowned` if that takes longer than a takeover. */
export async function untilOwned<Answer>(attempt: () => Promise<Answer>, options: SeekOptions): Promise<Answer> {
  const { ownership, pause, stopping } = options;
  const answered = new AbortController();
  let isLate: boolean | undefined;
  try {
    for (;;) {
      const failed = await attempt().then((answer) => ({ answer }), moveOf);
      if ("answer" in failed) return failed.answer;
      if (isLate || stopping.aborted) throw new Unowned(failed.message);
      if (isLate === undefined)
        pause(ownership.lease + TAKE_OVER, answered.signal).then(
          () => (isLate = true),
          () => {},
        );
      isLate ??= false;
      await pause(BETWEEN, stopping).catch(() => {});
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
 * Returns the owner of an account that another replica expects here, looking it up again if this one has other information. Returns nobody
 * if this replica cannot tell, or is stopping.
 */
export async function ownerNow(account: string, ownership: AccountOwnership): Promise<Owner> {
  try {
    const heard = await ownership.ownerOf(account);
    if (heard.kind !== "replica") return heard;
    ownership.forget(account);
    return await ownership.ownerOf(account);
  } catch (problem) {
    if (problem instanceof StoreOutage) return { kind: "nobody" };
    throw problem;
  }
}

/** Returns the owner of the journal of requests that belong to no account. The first replica that asks becomes the owner. */
export async function findSandbox(ownership: AccountOwnership): Promise<AccountWithOwner> {
  const owner = await ownership.ownerOf(SANDBOX_JOURNAL);
  return { account: SANDBOX_JOURNAL, owner: owner.kind === "nobody" ? await ownership.claim(SANDBOX_JOURNAL) : owner };
}
