import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { Breakage } from "../scenario/applied-rules.ts";

/**
 * What surrounds a request: its sockets, or, in process, the request itself and a way to run a job once the Response has resolved.
 * A request that another replica has forwarded has neither; its jobs run when that replica's client is answered or gone.
 */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  readonly afterResponse?: (job: () => void) => void;
  /** The request, where it has been read before, to be forwarded or because it was; its body is undefined when it is too large. */
  readonly read?: { readonly request: GatewayRequest; readonly body: Uint8Array | undefined };
  readonly forwarded?: Forwarded;
}

/** A request as far as it has been read. */
export interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  /** The request's target, as its first line names it. */
  readonly target: string;
  readonly httpVersion: string;
  /** Names and values in turn, in the order and the spelling in which they came. */
  readonly rawHeaders: readonly string[];
  readonly contentType: string | undefined;
  /** Wall time. */
  readonly receivedAt: Instant;
  readonly isFirstOnConnection: boolean;
  readonly exposed: RequestTraits["exposed"] | undefined;
  readonly traceparent: string | undefined;
  body: Uint8Array;
  /** The consumer key that it named, where no account has that key. */
  readonly unknownKey?: string;
}

/** A request that came to another replica, which holds the connection of its client. */
export interface Forwarded {
  /** Leaves it to that replica to answer as scripted. */
  leave(script: Script, client: WaitingClient): void;
  /** How it ended there, once it has. */
  readonly ended: AnswerEnded | undefined;
}

/** A client that waits for its answer. */
export interface WaitingClient {
  /** From now on it is the sandbox that closes the connection. */
  isLeftAlone: boolean;
  /** Called when it still waits after `CLIENT_PATIENCE`. */
  readonly onEndlessWait: () => void;
}

/** What a scenario does to an answer. */
export interface Script {
  readonly delay: Millis;
  readonly breakage: Breakage | undefined;
  /** Otherwise the client must not get to read a whole acknowledgment. */
  readonly isAccepted: boolean;
}

export interface AnswerEnded {
  readonly end: AnswerEnd;
  /** What Node wrote before the body. */
  readonly head: string | undefined;
  /** Where it is known already that it was not the client that ended the connection. */
  readonly isLeftAlone?: boolean;
}

/** Whether a client was handed its whole answer, or left or was cut off before. */
export type AnswerEnd = "answered" | "broken";

/** Whether more requests may arrive in the same turn of the event loop, and none of them is the worse for waiting for its end. */
export function comesWithOthers({ incoming, forwarded }: Bindings): boolean {
  return forwarded !== undefined || (incoming !== undefined && !("encrypted" in incoming.socket));
}

/**
 * Runs a job once: when the answer has been handed to the kernel, or its connection is gone, or in process when it has resolved.
 * On a socket "close" tells of both: Node emits it after "finish".
 */
export function whenAnswered(bindings: Bindings, job: (ended: AnswerEnded) => void): void {
  const { outgoing, afterResponse } = bindings;
  const over = (): void => job(endOf(bindings));
  if (outgoing?.destroyed) over();
  else if (outgoing !== undefined) outgoing.on("close", over);
  else if (afterResponse !== undefined) afterResponse(over);
  else queueMicrotask(over);
}

function endOf({ outgoing, request, forwarded }: Bindings): AnswerEnded {
  if (forwarded !== undefined) return forwarded.ended ?? LOST;
  if (outgoing !== undefined) return { end: outgoing.writableFinished ? "answered" : "broken", head: sentHead(outgoing) };
  return { end: request?.signal.aborted ? "broken" : "answered", head: undefined };
}

/** The replica that held the connection is gone, and its clients with it: none of them has left. */
export const LOST: AnswerEnded = { end: "broken", head: undefined, isLeftAlone: true };

/** The head that Node wrote, byte for byte; Node keeps it under this name (lib/_http_outgoing.js). */
function sentHead(outgoing: ServerResponse): string | undefined {
  const head: unknown = Reflect.get(outgoing, "_header");
  return typeof head === "string" ? head : undefined;
}
