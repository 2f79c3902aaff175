import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "hono";
import type { RequestTraits } from "../account/request-traits.ts";
import { Refused } from "../domain/refusal.ts";
import type { Instant, Millis } from "../domain/time.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import type { Breakage } from "../scenario/applied-rules.ts";

/**
 * The environment of a request: its sockets, or in process, the request itself and a way to run a job once the Response has resolved. A
 * request forwarded by another replica has neither; its jobs run when that replica's client has its response or is gone.
 */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly request?: Request;
  readonly afterResponse?: (job: () => void) => void;
  /** The request if it has already been read, to be forwarded or because it was forwarded. `body` is undefined if it is too large. */
  readonly read?: { readonly request: ReceivedRequest; readonly body: Uint8Array | undefined };
  readonly forwarded?: Forwarded;
  /** The request as received. One of Hono's variables would cost a Map for each request. */
  received?: ReceivedRequest;
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

/** A request that another replica received. That replica holds the client's connection. */
export interface Forwarded {
  /** Leaves it to that replica to respond as scripted. */
  leave(script: Script, client: WaitingClient): void;
  /** How the response ended there, once it has. */
  readonly ended: AnswerEnded | undefined;
}

/** A client waiting for its response. */
export interface WaitingClient {
  /** Set once the sandbox closes the connection itself, so that the close is not blamed on the client. */
  isClosedBySandbox: boolean;
  /** Called if it is still waiting after `CLIENT_PATIENCE`. */
  readonly onEndlessWait: () => void;
}

/** How a scenario changes a response. */
export interface Script {
  readonly delay: Millis;
  readonly breakage: Breakage | undefined;
  /** Whether the request is accepted. If not, the client must never receive a complete acknowledgment. */
  readonly isAccepted: boolean;
}

export interface AnswerEnded {
  readonly end: AnswerEnd;
  /** What Node wrote before the body. */
  readonly head: string | undefined;
  /** Set if it is already known that the client did not end the connection. */
  readonly isClosedBySandbox?: boolean;
}

/** Whether a client was sent its whole response, or was disconnected before. */
export type AnswerEnd = "answered" | "broken";

/** What handlers of a gateway request pass on. */
export type GatewayEnv = { Bindings: Bindings };

/** Reads a request's head and stores it for the following handlers. Call it once per request. */
export function receiveRequest(c: Context<GatewayEnv>, receivedAt: Instant): ReceivedRequest {
  const request = c.env.read === undefined ? readHead(c, receivedAt) : { ...c.env.read.request, receivedAt };
  c.env.received = request;
  return request;
}

/** Reads the request line and the headers. */
export function readHead(c: Context<GatewayEnv>, receivedAt: Instant): ReceivedRequest {
  const { req, env } = c;
  const { incoming } = env;
  const target = incoming?.url ?? req.url;
  const traceparent = headerOf(c, "traceparent");
  return {
    method: req.method,
    path: req.path,
    target,
    httpVersion: incoming?.httpVersion ?? "1.1",
    rawHeaders: incoming?.rawHeaders ?? [...req.raw.headers].flat(),
    authorization: headerOf(c, "authorization"),
    contentType: headerOf(c, "content-type"),
    contentEncoding: headerOf(c, "content-encoding"),
    scenario: headerOf(c, "x-kredo-scenario"),
    receivedAt,
    isFirstOnConnection: isFirstOnConnection(env),
    isOfKredo: headerOf(c, KREDO_COMMAND) !== undefined,
    exposed: exposedIn(target),
    traceparent: traceparent === undefined ? undefined : readTraceparent(traceparent),
    body: NO_BODY,
  };
}

/** Node has already parsed the headers of a socket. Hono would copy all of them into an object of its own. */
function headerOf({ req, env: { incoming } }: Context<GatewayEnv>, name: string): string | undefined {
  if (incoming === undefined) return req.header(name);
  const value = incoming.headers[name];
  return typeof value === "object" ? value.join(", ") : value;
}

const NO_BODY = new Uint8Array();

/** Kredo's own commands and its page send this header with their requests. Findings leave them out. */
const KREDO_COMMAND = "x-kredo-command";

/** The connections that have carried a gateway request. Closed connections are garbage-collected. */
const used = new WeakSet<object>();

function isFirstOnConnection({ incoming }: Bindings): boolean {
  if (incoming === undefined || used.has(incoming.socket)) return false;
  used.add(incoming.socket);
  return true;
}

const SECRETS = /^(?:(?:consumer_)?(?:key|secret)|password|token|api_key|authorization)$/;

/** Returns only the parameter names; their values must never be recorded. */
function exposedIn(target: string): RequestTraits["exposed"] {
  const at = target.indexOf("?");
  if (at === -1) return undefined;
  const names = [...new URLSearchParams(target.slice(at)).keys()].map((name) => name.toLowerCase());
  const exposed = [...new Set(names.filter((name) => SECRETS.test(name)))];
  return exposed.length === 0 ? undefined : exposed;
}

/** The most bytes of a body. A guess: the document states no limit. */
const LARGEST_BODY = 1_048_576;

/**
 * The most bytes read of a body that is too large, so that clients that write all of it first can read the response. Then the connection is
 * closed.
 */
const DRAINED = 16 * LARGEST_BODY;

/** The most bytes kept of a body whose request is refused anyway. The journal stores 4,096 characters of it. */
const KEPT_OF_REFUSED = 16_384;

/**
 * Reads the whole body, or discards most of it if `isWanted` returns false. Rejects with `Refused` 413 if it is too large, and with
 * `ClientGone` if the client disconnects before its end.
 */
export function readBody({ incoming, request, read }: Bindings, isWanted: () => boolean): Promise<Uint8Array> {
  if (read !== undefined) return read.body === undefined ? Promise.reject(tooLarge()) : Promise.resolve(read.body);
  if (incoming === undefined) return readWeb(request);
  const isShort = Number(incoming.headers["content-length"]) <= KEPT_OF_REFUSED;
  return readSocket(incoming, isShort || isWanted() ? LARGEST_BODY : KEPT_OF_REFUSED);
}

/** Reads the beginning of a body that no endpoint accepts. */
export async function readBodyOfRefused(env: Bindings): Promise<Uint8Array> {
  try {
    return await readBody(env, () => false);
  } catch (problem) {
    // Even with an oversized body, the request is still one for an unknown path.
    if (problem instanceof Refused) return NO_BODY;
    throw problem;
  }
}

function readSocket(incoming: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      if (length < most) chunks.push(length + chunk.length > most ? chunk.subarray(0, most - length) : chunk);
      length += chunk.length;
      if (length > DRAINED) incoming.destroy();
      else if (length > LARGEST_BODY) reject(tooLarge());
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? (chunks[0] ?? NO_BODY) : Buffer.concat(chunks)));
    // Without a listener for errors, Node only closes. Complete requests emit "close", too; creating an error with its stack for each would be a tenth of a request's cost.
    incoming.on("close", () => !incoming.readableEnded && reject(new ClientGone()));
    if (Number(incoming.headers["content-length"]) > LARGEST_BODY) reject(tooLarge());
  });
}

async function readWeb(request: Request | undefined): Promise<Uint8Array> {
  if (Number(request?.headers.get("content-length")) > LARGEST_BODY) throw tooLarge();
  const body = new Uint8Array((await request?.arrayBuffer()) ?? []);
  if (body.length > LARGEST_BODY) throw tooLarge();
  return body;
}

/** Thrown if the client disconnected before its request was complete, so that there is nobody to answer. */
export class ClientGone extends Error {}

function tooLarge(): Refused {
  return new Refused(413, { hint: `a body has at most ${LARGEST_BODY} bytes` });
}

/**
 * Returns whether more requests may arrive in the same turn of the event loop. They then continue together at its end, which costs a third
 * less per request, because code and data stay in the CPU's caches. Over TLS, each continues at once: the end of the handshake, a request
 * and the client's close can arrive in one turn. A scripted reset must then leave with the first, and a response before Node closes in reply
 * to the last.
 */
export function comesWithOthers({ incoming, forwarded }: Bindings): boolean {
  return forwarded !== undefined || (incoming !== undefined && !("encrypted" in incoming.socket));
}

/**
 * Runs a job once: when the response has been handed to the kernel, when its connection is gone, or in process when the Response has
 * resolved. On a socket, "close" covers both cases, because Node emits it after "finish".
 */
export function whenAnswered({ outgoing, afterResponse }: Bindings, job: () => void): void {
  if (outgoing?.destroyed) job();
  else if (outgoing !== undefined) outgoing.on("close", job);
  else if (afterResponse !== undefined) afterResponse(job);
  else queueMicrotask(job);
}

/** Returns how a response ended. */
export function endOf({ outgoing, request, forwarded }: Bindings): AnswerEnded {
  if (forwarded !== undefined) return forwarded.ended ?? LOST;
  if (outgoing !== undefined)
    return { end: outgoing.writableFinished ? "answered" : "broken", head: sentHead(outgoing) };
  return { end: request?.signal.aborted ? "broken" : "answered", head: undefined };
}

/** The replica that held the connection is gone, and so are its clients. None of them left by itself. */
export const LOST: AnswerEnded = { end: "broken", head: undefined, isClosedBySandbox: true };

/** Returns the head that Node wrote, byte for byte. Node stores it in this internal property (lib/_http_outgoing.js). */
function sentHead(outgoing: ServerResponse): string | undefined {
  const head: unknown = Reflect.get(outgoing, "_header");
  return typeof head === "string" ? head : undefined;
}
