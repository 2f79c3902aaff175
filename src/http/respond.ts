import type { RequestEvent } from "../account/events.ts";
import type { Pause } from "../ports/pause.ts";
import { breakConnection } from "./breakage.ts";
import type { Bindings } from "./bindings.ts";
import type { ClientWatch } from "./client-disconnect.ts";
import type { Wire } from "./reply.ts";

/** What an answer that takes its time is written with. */
export interface ResponseTiming {
  /** Wall time, which the client feels. */
  readonly pause: Pause;
  /** The sandbox stops: nobody waits any longer. */
  readonly stopping: AbortSignal;
}

/** The answer; where a scenario says so, late, or not at all: then it rejects with `ConnectionBroken`. */
export async function respond(bindings: Bindings, wire: Wire, { event, timing, client }: ResponseOptions): Promise<Wire> {
  const { ack, breakage } = event.rules ?? {};
  const delay = ack?.delay ?? 0;
  if (delay === 0 && breakage === undefined) return wire;
  const left = leaving(bindings, timing.stopping);
  await timing.pause(delay, left).catch(goOn);
  if (breakage === undefined) return wire;
  return breakConnection(bindings.outgoing, breakage, { wire, isAccepted: event.kind !== "cut", left, client, pause: timing.pause });
}

interface ResponseOptions {
  readonly event: RequestEvent;
  readonly timing: ResponseTiming;
  /** The client, to be left alone once a scenario closes its connection. */
  readonly client: ClientWatch;
}

/** Aborts when the client leaves, or the sandbox stops. */
function leaving({ outgoing, request }: Bindings, stopping: AbortSignal): AbortSignal {
  if (outgoing === undefined) return request === undefined ? stopping : AbortSignal.any([stopping, request.signal]);
  const left = new AbortController();
  if (outgoing.destroyed) left.abort();
  else outgoing.once("close", () => left.abort());
  return AbortSignal.any([stopping, left.signal]);
}

/** A wait that was cut short is over all the same. */
function goOn(): void {}
