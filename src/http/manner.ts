import type { ClockState } from "../account/clock.ts";
import type { RequestEvent } from "../account/events.ts";
import type { Manner } from "../account/manner.ts";
import type { Instant } from "../domain/time.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import type { Writable } from "../domain/writable.ts";
import type { Call } from "./call.ts";

/** What of a request's manner is seen when it arrives. */
export interface Arrival {
  /** Wall time. */
  readonly at: Instant;
  readonly isFirstOnConnection: boolean;
  readonly exposed: Manner["exposed"] | undefined;
  readonly traceparent: string | undefined;
}

/** Looks at how a request comes; to be asked once for each. */
export function seeArrival(call: Call, at: Instant): Arrival {
  const target = call.env.incoming?.url ?? call.req.url;
  const exposed = MAY_EXPOSE.test(target) ? exposedIn(target) : undefined;
  const traceparent = readTraceparent(call.req.header("traceparent"));
  return { at, isFirstOnConnection: isFirstOnConnection(call), exposed: exposed?.length === 0 ? undefined : exposed, traceparent };
}

const MAY_EXPOSE = /[?@]/;

/** Connections on which a request of the gateway has come; a connection that is gone is forgotten. */
const used = new WeakSet<object>();

function isFirstOnConnection({ env: { incoming } }: Call): boolean {
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

/** A request's event, newly made, with the manner in which it came, where that says anything. */
export function withManner<Event extends RequestEvent>(event: Event, arrival: Arrival, { clock, loose = [] }: Reading): Event {
  const isWallApart = clock.mode !== "real";
  const { at, isFirstOnConnection, exposed, traceparent } = arrival;
  if (!isWallApart && loose.length === 0 && isOrdinary(arrival)) return event;
  const manner: Writable<Manner> = {};
  if (isWallApart) manner.wallAt = at;
  if (isFirstOnConnection) manner.isFirstOnConnection = true;
  if (exposed !== undefined) manner.exposed = exposed;
  if (loose.length > 0) manner.loose = loose;
  if (traceparent !== undefined) manner.traceparent = traceparent;
  const written: Writable<RequestEvent> = event;
  written.manner = manner;
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
