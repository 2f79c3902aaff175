import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";

/** What stands around a request: its sockets, or, in process, a way to run a job once the Response has resolved. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly afterResponse?: (job: () => void) => void;
}

export type AppEnv = { Bindings: Bindings };
export type Call = Context<AppEnv>;

/** Runs a job once: when the answer has been handed to the kernel, or its connection is gone, or in process when it has resolved. */
export function whenAnswered(call: Call, job: () => void): void {
  const { outgoing, afterResponse } = call.env;
  if (outgoing?.destroyed) {
    job();
  } else if (outgoing !== undefined) {
    outgoing.once("finish", job);
    outgoing.once("close", job);
  } else if (afterResponse !== undefined) {
    afterResponse(job);
  } else {
    queueMicrotask(job);
  }
}
