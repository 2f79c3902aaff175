import type { IncomingMessage, ServerResponse } from "node:http";

/** What surrounds a request: its sockets, or, in process, the request itself and a way to run a job once the Response has resolved. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  readonly afterResponse?: (job: () => void) => void;
}

export type AppEnv = { Bindings: Bindings };

/** Whether a client was handed its whole answer, or left or was cut off before. */
export type AnswerEnd = "answered" | "broken";

export function isPlainSocket({ incoming }: Bindings): boolean {
  return incoming !== undefined && !("encrypted" in incoming.socket);
}

/**
 * Runs a job once: when the answer has been handed to the kernel, or its connection is gone, or in process when it has resolved.
 * On a socket "close" tells of both: Node emits it after "finish".
 */
export function whenAnswered(bindings: Bindings, job: (end: AnswerEnd) => void): void {
  const { outgoing, afterResponse } = bindings;
  const over = (): void => job(endOf(bindings));
  if (outgoing?.destroyed) over();
  else if (outgoing !== undefined) outgoing.on("close", over);
  else if (afterResponse !== undefined) afterResponse(over);
  else queueMicrotask(over);
}

function endOf({ outgoing, request }: Bindings): AnswerEnd {
  const isAnswered = outgoing === undefined ? request?.signal.aborted !== true : outgoing.writableFinished;
  return isAnswered ? "answered" : "broken";
}
