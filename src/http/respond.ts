import type { Directed } from "../account/directed.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import type { Pause } from "../ports/pause.ts";
import { breakConnection } from "./breakage.ts";
import type { Call } from "./call.ts";
import type { Waiting } from "./departure.ts";
import { type Answer, encodeAnswer, type Wire } from "./reply.ts";

/** What an answer that takes its time is written with. */
export interface Stage {
  /** Wall time, which the client feels. */
  readonly pause: Pause;
  /** The sandbox stops: nobody waits any longer. */
  readonly stopping: AbortSignal;
}

/** The answer; where a scenario says so, late, or not at all: then it rejects with `ConnectionBroken`. */
export function respond(call: Call, answer: Answer, staging: Staging): Wire | Promise<Wire> {
  const { directed } = answer.event;
  const isPlain = directed === undefined || (isInTime(directed) && directed.breakage === undefined);
  return isPlain ? encodeAnswer(answer, staging.gateway) : respondAsDirected(call, answer, { ...staging, directed });
}

interface Staging {
  readonly stage: Stage;
  /** The client, to be left alone once a scenario closes its connection. */
  readonly waiting: Waiting;
  readonly gateway: GatewaySettings;
}

function isInTime({ ack }: Directed): boolean {
  return ack === undefined || ack.delay === 0;
}

async function respondAsDirected(
  call: Call,
  answer: Answer,
  { stage, waiting, gateway, directed }: Staging & { directed: Directed },
): Promise<Wire> {
  const { ack, breakage } = directed;
  const left = leaving(call, stage.stopping);
  await stage.pause(ack?.delay ?? 0, left).catch(goOn);
  if (breakage === undefined) return encodeAnswer(answer, gateway);
  const wire = encodeAnswer(answer, gateway);
  return breakConnection(call.env.outgoing, breakage, { wire, isAccepted: answer.event.kind !== "cut", left, waiting, pause: stage.pause });
}

/** Aborts when the client leaves, or the sandbox stops. */
function leaving({ env: { outgoing, request } }: Call, stopping: AbortSignal): AbortSignal {
  if (outgoing === undefined) return request === undefined ? stopping : AbortSignal.any([stopping, request.signal]);
  const left = new AbortController();
  if (outgoing.destroyed) left.abort();
  else outgoing.once("close", () => left.abort());
  return AbortSignal.any([stopping, left.signal]);
}

/** A wait that was cut short is over all the same. */
function goOn(): void {}
