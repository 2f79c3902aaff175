import type { Millis } from "../../domain/time.ts";
import { type AccountOwnership, type Owner, Unowned } from "../../ports/account-ownership.ts";
import type { Replica } from "../../ports/journal-engine.ts";
import { NotTheOwner } from "../../ports/journal-store.ts";
import type { Pause } from "../../ports/pause.ts";
import { ReplicaUnreachable } from "../../ports/replica-links.ts";

/** An account, and who answers for it. */
export interface Owned {
  readonly account: string;
  readonly owner: Owner;
}

/** How a request is answered here, or by another replica. Both reject with `NotTheOwner` where nothing was done because the account is owned elsewhere. */
export interface Attempts<Answer> {
  readonly here: (account: string) => Promise<Answer>;
  /** Also rejects with `ReplicaUnreachable`. */
  readonly there: (owner: Replica, account: string) => Promise<Answer>;
}

interface SeekOptions {
  readonly ownership: AccountOwnership;
  readonly pause: Pause;
  readonly stopping: AbortSignal;
}

/** A dead replica's accounts are taken over once its lease of 2 s is over; a request waits for that, and somewhat longer. */
const MOST_LOOKS = 60;
const BETWEEN: Millis = 100;

/** Has a request answered by whoever owns its account; looks again where that has changed. Rejects with `Unowned` after 6 s. */
export async function withOwner<Answer>(
  find: () => Promise<Owned>,
  { here, there }: Attempts<Answer>,
  { ownership, pause, stopping }: SeekOptions,
): Promise<Answer> {
  let reason = "";
  for (let looks = 0; looks < MOST_LOOKS && !stopping.aborted; looks += 1) {
    const { account, owner } = await find();
    try {
      if (owner.kind === "self") return await here(account);
      if (owner.kind === "replica") return await there(owner, account);
      reason = `nobody owns the account ${account}`;
    } catch (problem) {
      if (!(problem instanceof NotTheOwner || problem instanceof ReplicaUnreachable)) throw problem;
      reason = problem.message;
    }
    ownership.forget(account);
    // The first time, the account is probably somewhere else already.
    if (looks > 0) await pause(BETWEEN, stopping).catch(() => {});
  }
  throw new Unowned(reason);
}

/** Who owns an account that is there, once one who has lost its owner has been taken over. */
export async function findOwner(account: string, ownership: AccountOwnership): Promise<Owned> {
  const owner = await ownership.ownerOf(account);
  return { account, owner: owner.kind === "nobody" ? await ownership.claim(account) : owner };
}
