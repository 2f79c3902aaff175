import type { IncomingMessage, ServerResponse } from "node:http";

/** What stands around a request: its sockets, or, in process, the request itself and a way to run a job once the Response has resolved. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  readonly afterResponse?: (job: () => void) => void;
}

export type AppEnv = { Bindings: Bindings };

/** A request as the gateway reads it; a context of Hono is one. */
export interface Call {
  readonly env: Bindings;
  readonly req: {
    readonly method: string;
    readonly path: string;
    readonly url: string;
    readonly header: (name: string) => string | undefined;
  };
}

/**
 * Runs a job once: when the answer has been handed to the kernel, or its connection is gone, or in process when it has resolved.
 * On a socket "close" tells of both: Node has it follow "finish".
 */
export function whenAnswered(call: Call, job: () => void): void {
  const { outgoing, afterResponse } = call.env;
  if (outgoing?.destroyed) {
    job();
  } else if (outgoing !== undefined) {
    outgoing.on("close", job);
  } else if (afterResponse !== undefined) {
    afterResponse(job);
  } else {
    queueMicrotask(job);
  }
}
