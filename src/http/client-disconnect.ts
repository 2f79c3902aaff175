import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { Account } from "../engine/account.ts";
import { NotTheOwner } from "../ports/journal-store.ts";
import { EngineError } from "../engine/engine-error.ts";

/** A request whose client waits, or waited, for its response. */
interface WaitingRequest {
  readonly account: Account;
  readonly requestId: string;
  /** The account's state when the request was decided. */
  readonly state: AccountState;
  /** Wall time at which the request arrived. */
  readonly since: Instant;
}

interface DisconnectOptions {
  /** Aborts when the sandbox stops. That closes every connection, which says nothing about the clients. */
  readonly stopping: AbortSignal;
  readonly report: (fault: unknown) => void;
}

/** Journals that a client left or is still waiting, unless the account was reset or dropped since the request. */
export function recordWait(
  kind: "client-left" | "client-waits",
  waiting: WaitingRequest,
  { stopping, report }: DisconnectOptions,
): void {
  if (stopping.aborted) return;
  const { account, requestId, state: before, since } = waiting;
  const wall = account.wall.now();
  try {
    account.run((state, at) => ({
      events: state === before ? [{ kind, at, requestId, waited: wall - since }] : [],
      answer: undefined,
    }));
  } catch (problem) {
    if (!(problem instanceof EngineError || problem instanceof NotTheOwner)) report(problem);
  }
}
