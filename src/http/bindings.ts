import type { IncomingMessage, ServerResponse } from "node:http";

/** What surrounds a request: its sockets, or, in process, the request itself and a way to run a job once the Response has resolved. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  readonly afterResponse?: (job: () => void) => void;
}

export type AppEnv = { Bindings: Bindings };

export function isPlainSocket({ incoming }: Bindings): boolean {
  return incoming !== undefined && !("encrypted" in incoming.socket);
}

/**
 * Runs a job once: when the answer has been handed to the kernel, or its connection is gone, or in process when it has resolved.
 * On a socket "close" tells of both: Node emits it after "finish".
 */
export function whenAnswered({ outgoing, afterResponse }: Bindings, job: () => void): void {
  if (outgoing?.destroyed) job();
  else if (outgoing !== undefined) outgoing.on("close", job);
  else if (afterResponse !== undefined) afterResponse(job);
  else queueMicrotask(job);
}
