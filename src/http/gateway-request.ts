import type { ClockState } from "../account/clock.ts";
import type { RequestEvent } from "../account/events.ts";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Instant } from "../domain/time.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import type { Writable } from "../domain/writable.ts";
import type { Account } from "../engine/account.ts";
import type { Context } from "hono";
import type { Bindings, GatewayRequest } from "./bindings.ts";

/** What handlers of a gateway request pass on. */
export type GatewayEnv = { Bindings: Bindings; Variables: { request: GatewayRequest; account: Account } };

/** Reads a request's head and stores it for the following handlers. Call it once per request. */
export function receiveRequest(c: Context<GatewayEnv>, receivedAt: Instant): GatewayRequest {
  const request = c.env.read === undefined ? readHead(c, receivedAt) : { ...c.env.read.request, receivedAt };
  c.set("request", request);
  return request;
}

/** Reads the request line and the headers. */
export function readHead({ req, env }: Context<GatewayEnv>, receivedAt: Instant): GatewayRequest {
  const { incoming } = env;
  const target = incoming?.url ?? req.url;
  return {
    method: req.method,
    path: req.path,
    target,
    httpVersion: incoming?.httpVersion ?? "1.1",
    rawHeaders: incoming?.rawHeaders ?? [...req.raw.headers].flat(),
    contentType: req.header("content-type"),
    receivedAt,
    isFirstOnConnection: isFirstOnConnection(env),
    exposed: exposedIn(target),
    traceparent: readTraceparent(req.header("traceparent")),
    body: NO_BODY,
  };
}

const NO_BODY = new Uint8Array();

const MAY_EXPOSE = /[?@]/;

/** The connections that have carried a gateway request. Closed connections are garbage-collected. */
const used = new WeakSet<object>();

function isFirstOnConnection({ incoming }: Bindings): boolean {
  if (incoming === undefined || used.has(incoming.socket)) return false;
  used.add(incoming.socket);
  return true;
}

const SECRETS = new Set([
  "consumer_key",
  "consumer_secret",
  "key",
  "secret",
  "password",
  "token",
  "api_key",
  "authorization",
]);

/** Returns only the parameter names; their values must never be recorded. */
function exposedIn(target: string): RequestTraits["exposed"] {
  if (!MAY_EXPOSE.test(target)) return undefined;
  const [address = "", query = ""] = target.split("?", 2);
  const names = [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase());
  const inAddress = /^[a-z]+:\/\/[^/]*@/i.test(address) ? ["userinfo"] : [];
  const exposed = [...new Set([...inAddress, ...names.filter((name) => SECRETS.has(name))])];
  return exposed.length === 0 ? undefined : exposed;
}

/** Adds the traits worth recording to a request's new event. `loose` are fields that only a lenient setting accepts. */
export function withTraits<Event extends RequestEvent>(
  event: Event,
  request: GatewayRequest,
  { clock, loose = [] }: { clock: ClockState; loose?: readonly string[] },
): Event {
  const isWallApart = clock.mode !== "real";
  const { receivedAt, isFirstOnConnection, exposed, traceparent } = request;
  if (!isWallApart && loose.length === 0 && isOrdinary(request)) return event;
  const traits: Writable<RequestTraits> = {};
  if (isWallApart) traits.wallAt = receivedAt;
  if (isFirstOnConnection) traits.isFirstOnConnection = true;
  if (exposed !== undefined) traits.exposed = exposed;
  if (loose.length > 0) traits.loose = loose;
  if (traceparent !== undefined) traits.traceparent = traceparent;
  const written: Writable<RequestEvent> = event;
  written.traits = traits;
  return event;
}

function isOrdinary({ isFirstOnConnection, exposed, traceparent }: GatewayRequest): boolean {
  return !isFirstOnConnection && exposed === undefined && traceparent === undefined;
}
