import type { ServerResponse } from "node:http";
import { type Bindings, whenAnswered } from "./bindings.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { Account } from "../engine/account.ts";
import { EngineError } from "../engine/engine-error.ts";

/** A client that waits for its answer. */
export interface ClientWatch {
  /** From now on it is the sandbox that closes the connection. */
  readonly leaveAlone: () => void;
}

/** Runs a job when the client leaves before its answer is written; in process, when it aborts. */
export function onDisconnect(bindings: Bindings, job: () => void): ClientWatch {
  const { outgoing, request } = bindings;
  if (outgoing !== undefined) return watchConnection(outgoing, job);
  return request === undefined ? { leaveAlone: () => {} } : watchSignal(bindings, request.signal, job);
}

function watchConnection(outgoing: ServerResponse, job: () => void): ClientWatch {
  let isLeftAlone = false;
  const judge = (): void => {
    if (!isLeftAlone && !outgoing.writableFinished) job();
  };
  if (outgoing.destroyed) judge();
  else outgoing.on("close", judge);
  return { leaveAlone: () => void (isLeftAlone = true) };
}

function watchSignal(bindings: Bindings, signal: AbortSignal, job: () => void): ClientWatch {
  const leaveAlone = (): void => signal.removeEventListener("abort", job);
  if (signal.aborted) job();
  else signal.addEventListener("abort", job, { once: true });
  whenAnswered(bindings, leaveAlone);
  return { leaveAlone };
}

/** A request whose client waited for its answer. */
interface WaitingRequest {
  readonly requestId: string;
  /** The account's, when the request was decided. */
  readonly state: AccountState;
  /** Wall time at which the request came. */
  readonly since: Instant;
}

interface DisconnectOptions {
  /** Every connection ends when the sandbox stops; that says nothing about clients. */
  readonly stopping: AbortSignal;
  readonly report: (fault: unknown) => void;
}

/** Journals that a client left, unless the account was reset or dropped since the request. */
export function recordDisconnect(account: Account, waited: WaitingRequest, { stopping, report }: DisconnectOptions): void {
  if (stopping.aborted) return;
  const { requestId, state: before, since } = waited;
  const wall = account.wall.now();
  try {
    account.run((state, at) => ({
      events: state === before ? [{ kind: "client-left", at, requestId, waited: wall - since }] : [],
      answer: undefined,
    }));
  } catch (problem) {
    if (!(problem instanceof EngineError)) report(problem);
  }
}
