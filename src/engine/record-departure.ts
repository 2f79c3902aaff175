import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { Account } from "./account.ts";
import { ControlProblem } from "./control-problem.ts";

/** A request whose client waited for its answer. */
export interface Waited {
  readonly requestId: string;
  /** The account's, when the request was decided. */
  readonly state: AccountState;
  /** Wall time at which the request came. */
  readonly since: Instant;
}

interface Circumstances {
  /** Everybody is left by a sandbox that stops; that says nothing about clients. */
  readonly stopping: AbortSignal;
  readonly report: (fault: unknown) => void;
}

/** Writes down that a client left; nothing where the account has begun anew since the request, or is gone. */
export function recordDeparture(account: Account, waited: Waited, { stopping, report }: Circumstances): void {
  if (!stopping.aborted) write(account, waited, account.wall.now()).catch(report);
}

async function write(account: Account, { requestId, state: before, since }: Waited, wall: Instant): Promise<void> {
  try {
    await account.run((state, at) => ({
      events: state === before ? [{ kind: "client-left", at, requestId, waited: wall - since }] : [],
      answer: undefined,
    }));
  } catch (problem) {
    if (!(problem instanceof ControlProblem)) throw problem;
  }
}
