import type { Context } from "hono";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Instant } from "../domain/time.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import type { Bindings, GatewayEnv, ReceivedRequest } from "./bindings.ts";
import { NO_BODY, readBody } from "./body.ts";
import { turnEnd } from "./turn-end.ts";

/**
 * Reads a request, and stores it for the following handlers; of its body only the beginning if `isWanted` returns false. Call it once per
 * request. Rejects with `Refused` 413 if the body is too large, and with `ClientGone` if the client disconnects before its end.
 *
 * More requests may arrive in the same turn of the event loop. They then continue together at its end, which costs a third less per request,
 * because code and data stay in the CPU's caches. Over TLS, each continues at once: the end of the handshake, a request and the client's
 * close can arrive in one turn. A scripted reset must then leave with the first, and a response before Node closes in reply to the last.
 */
export async function receive(
  c: Context<GatewayEnv>,
  receivedAt: Instant,
  isWanted: (authorization: string | undefined) => boolean,
): Promise<ReceivedRequest> {
  const { incoming } = c.env;
  const request = receiveHead(c, receivedAt);
  if (request.method === "POST") request.body = await readBody(c.env, () => isWanted(request.authorization));
  if (incoming !== undefined && !("encrypted" in incoming.socket)) await turnEnd();
  return request;
}

/** Reads a request's head, or takes it as it was read before, and stores it for the following handlers. */
export function receiveHead(c: Context<GatewayEnv>, receivedAt: Instant): ReceivedRequest {
  const known = c.env.received;
  const request = known === undefined ? readHead(c, receivedAt) : { ...known, receivedAt };
  c.env.received = request;
  return request;
}

/** Reads the request line and the headers. */
function readHead(c: Context<GatewayEnv>, receivedAt: Instant): ReceivedRequest {
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
