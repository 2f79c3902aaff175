import type { ClockState } from "../account/clock.ts";
import type { RequestEvent } from "../account/events.ts";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Instant } from "../domain/time.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import type { Writable } from "../domain/writable.ts";
import type { HonoRequest } from "hono";
import type { Bindings } from "./bindings.ts";

/** The traits seen when a request arrives. */
export interface Arrival {
  /** Wall time. */
  readonly at: Instant;
  readonly isFirstOnConnection: boolean;
  readonly exposed: RequestTraits["exposed"] | undefined;
  readonly traceparent: string | undefined;
}

/** Reads a request's traits; call it once for each request. */
export function seeArrival(req: HonoRequest, env: Bindings, at: Instant): Arrival {
  const target = env.incoming?.url ?? req.url;
  const exposed = MAY_EXPOSE.test(target) ? exposedIn(target) : undefined;
  const traceparent = readTraceparent(req.header("traceparent"));
  return { at, isFirstOnConnection: isFirstOnConnection(env), exposed: exposed?.length === 0 ? undefined : exposed, traceparent };
}

const MAY_EXPOSE = /[?@]/;

/** Connections on which a request of the gateway has come; a connection that is gone is forgotten. */
const used = new WeakSet<object>();

function isFirstOnConnection({ incoming }: Bindings): boolean {
  if (incoming === undefined || used.has(incoming.socket)) return false;
  used.add(incoming.socket);
  return true;
}

const SECRETS = new Set(["consumer_key", "consumer_secret", "key", "secret", "password", "token", "api_key", "authorization"]);

/** Only names: what stands behind them is written down nowhere. */
function exposedIn(target: string): string[] {
  const [address = "", query = ""] = target.split("?", 2);
  const names = [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase());
  const inAddress = /^[a-z]+:\/\/[^/]*@/i.test(address) ? ["userinfo"] : [];
  return [...new Set([...inAddress, ...names.filter((name) => SECRETS.has(name))])];
}

/** Adds the traits to a request's new event, where there are any to record. */
export function withTraits<Event extends RequestEvent>(event: Event, arrival: Arrival, { clock, loose = [] }: Reading): Event {
  const isWallApart = clock.mode !== "real";
  const { at, isFirstOnConnection, exposed, traceparent } = arrival;
  if (!isWallApart && loose.length === 0 && isOrdinary(arrival)) return event;
  const traits: Writable<RequestTraits> = {};
  if (isWallApart) traits.wallAt = at;
  if (isFirstOnConnection) traits.isFirstOnConnection = true;
  if (exposed !== undefined) traits.exposed = exposed;
  if (loose.length > 0) traits.loose = loose;
  if (traceparent !== undefined) traits.traceparent = traceparent;
  const written: Writable<RequestEvent> = event;
  written.traits = traits;
  return event;
}

function isOrdinary({ isFirstOnConnection, exposed, traceparent }: Arrival): boolean {
  return !isFirstOnConnection && exposed === undefined && traceparent === undefined;
}

interface Reading {
  readonly clock: ClockState;
  /** Fields that only a lenient setting takes. */
  readonly loose?: readonly string[];
}
