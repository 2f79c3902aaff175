import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { Breakage } from "../scenario/effects/applied-rules.ts";

/**
 * The environment of a request: its sockets, or in process, the request itself and a way to run a job once the Response has resolved.
 */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  /** Runs a job once the response has ended, and says how, if the request does not show that. */
  readonly afterResponse?: (job: (ended?: ResponseEnd) => void) => void;
  /** Has whoever holds the client's connection respond as scripted. */
  readonly playElsewhere?: (script: ResponseScript, client: WaitingClient) => void;
  /** The request as received here or elsewhere. One of Hono's variables would cost a Map for each request. */
  received?: ReceivedRequest;
  /** Its body, once something reads it. Rejects as `readBody` does. */
  body?: Promise<Uint8Array>;
}

/** A request, as far as it has been read. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** The target as in the request line. */
  readonly target: string;
  readonly httpVersion: string;
  /** Alternating names and values, in their original order and spelling. */
  readonly rawHeaders: readonly string[];
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** The scenario that its header selects. */
  readonly scenario: string | undefined;
  /** Wall time. */
  readonly receivedAt: Instant;
  readonly isFirstOnConnection: boolean;
  readonly isOfKredo: boolean;
  readonly exposed: RequestTraits["exposed"] | undefined;
  readonly traceparent: string | undefined;
  body: Uint8Array;
  /** The consumer key in the request, if no account has it. */
  readonly unknownKey?: string;
}

/** A client waiting for its response. */
export interface WaitingClient {
  /** Set once the sandbox closes the connection itself, so that the close is not blamed on the client. */
  isClosedBySandbox: boolean;
  /** Called if it is still waiting after `CLIENT_PATIENCE`. */
  readonly onEndlessWait: () => void;
}

/** How a scenario changes a response. */
export interface ResponseScript {
  readonly delay: Millis;
  readonly breakage: Breakage | undefined;
  /** Whether the request is accepted. If not, the client must never receive a complete acknowledgment. */
  readonly isAccepted: boolean;
}

export interface ResponseEnd {
  readonly end: ResponseOutcome;
  /** What Node wrote before the body. */
  readonly head: string | undefined;
  /** Set if it is already known that the client did not end the connection. */
  readonly isClosedBySandbox?: boolean;
}

/** Whether a client was sent its whole response, or was disconnected before. */
export type ResponseOutcome = "answered" | "broken";

/** What handlers of a gateway request pass on. */
export type GatewayEnv = { Bindings: Bindings };

/**
 * Runs a job once, with how the response ended: when it has been handed to the kernel, when its connection is gone, or in process when the
 * Response has resolved. On a socket, "close" covers both cases, because Node emits it after "finish".
 */
export function whenResponseEnds(env: Bindings, job: (ended: ResponseEnd) => void): void {
  const { outgoing, afterResponse } = env;
  const end = (ended = endOf(env)): void => job(ended);
  if (outgoing?.destroyed) end();
  else if (outgoing !== undefined) outgoing.on("close", () => end());
  else if (afterResponse !== undefined) afterResponse(end);
  else queueMicrotask(() => end());
}

function endOf({ outgoing, request }: Bindings): ResponseEnd {
  if (outgoing !== undefined)
    return { end: outgoing.writableFinished ? "answered" : "broken", head: sentHead(outgoing) };
  return { end: request?.signal.aborted ? "broken" : "answered", head: undefined };
}

/** Returns the head that Node wrote, byte for byte. Node stores it in this internal property (lib/_http_outgoing.js). */
function sentHead(outgoing: ServerResponse): string | undefined {
  const head: unknown = Reflect.get(outgoing, "_header");
  return typeof head === "string" ? head : undefined;
}
