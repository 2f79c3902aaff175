import type { ServerResponse } from "node:http";
import { type Bindings, whenAnswered } from "./bindings.ts";

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
