import type { ServerResponse } from "node:http";
import { type Call, whenAnswered } from "./call.ts";

/** A client that waits for its answer. */
export interface Waiting {
  /** From now on it is the sandbox that closes the connection. */
  readonly leaveAlone: () => void;
}

/** Runs a job when the client leaves before its answer is written; in process, when it aborts. */
export function whenGone(call: Call, job: () => void): Waiting {
  const { outgoing, request } = call.env;
  if (outgoing !== undefined) return watchConnection(outgoing, job);
  return request === undefined ? { leaveAlone: () => {} } : watchSignal(call, request.signal, job);
}

function watchConnection(outgoing: ServerResponse, job: () => void): Waiting {
  let isLeftAlone = false;
  const judge = (): void => {
    if (!isLeftAlone && !outgoing.writableFinished) job();
  };
  if (outgoing.destroyed) judge();
  else outgoing.on("close", judge);
  return { leaveAlone: () => void (isLeftAlone = true) };
}

function watchSignal(call: Call, signal: AbortSignal, job: () => void): Waiting {
  const leaveAlone = (): void => signal.removeEventListener("abort", job);
  if (signal.aborted) job();
  else signal.addEventListener("abort", job, { once: true });
  whenAnswered(call, leaveAlone);
  return { leaveAlone };
}
