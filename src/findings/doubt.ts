import type { Accepted, ConnectionCut } from "../account/events.ts";
import type { ScriptedAck } from "../account/directed.ts";
import type { Breakage } from "../domain/scenario.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import { timeInWords } from "./in-words.ts";
import { sentAt } from "./sent-at.ts";

/** While a client cannot know what became of its order: in wall time, from the moment it may give up until it has its answer. */
export interface Doubt {
  readonly from: Instant;
  readonly until: Instant;
  /** The earlier order's part of a sentence: "the connection of the first was cut (reset)". */
  readonly because: string;
}

/** Sooner than this nobody has given up waiting: an equal order beside the first was ordered twice, not retried. */
const PATIENCE: Millis = SECOND;

/** The doubt that the sandbox itself made; none where the whole acknowledgment went out at once. */
export function doubtOf(event: Accepted | ConnectionCut): Doubt | undefined {
  const { ack, breakage } = event.directed ?? {};
  const at = sentAt(event);
  if (breakage !== undefined) return brokenOff(breakage, at, ack?.delay ?? 0);
  if (ack === undefined) return undefined;
  const answer = readAnswer(ack);
  if (answer === "garbled") return { from: at + ack.delay, until: Infinity, because: garbledBecause(ack) };
  if (ack.delay < PATIENCE) return undefined;
  const because = `the acknowledgment of the first was still due after ${timeInWords(ack.delay)}`;
  return { from: at + PATIENCE, until: at + ack.delay, because };
}

/** The client closed the connection itself, so that it has no acknowledgment. */
export function doubtAfterLeaving(at: Instant, waited: Millis): Doubt {
  return { from: at, until: Infinity, because: `the client had left the first after ${timeInWords(waited)}, before its acknowledgment` };
}

/** A scenario had an accepted order answered as if it had been refused: whoever sends it again does as told. */
export function isToldRefused({ directed }: Accepted): boolean {
  return directed?.ack !== undefined && directed.breakage === undefined && readAnswer(directed.ack) === "refusal";
}

/** A client that is left hanging, or fed byte by byte, waits until it gives up; it feels the other breakages at once. */
function brokenOff(breakage: Breakage, at: Instant, delay: Millis): Doubt {
  const patience = breakage === "hang" || breakage === "drip" ? PATIENCE : 0;
  return { from: at + delay + patience, until: Infinity, because: `the connection of the first was broken (${breakage})` };
}

type ReadAnswer = "acknowledgment" | "refusal" | "garbled";

/** How a client reads an acknowledgment that a scenario has rewritten; 5xx says nothing of what happened (public-facts.md). */
function readAnswer({ status = 200, body }: ScriptedAck): ReadAnswer {
  if (status >= 300) return readCode(status);
  return body === undefined ? "acknowledgment" : readCode(statusCodeOf(body));
}

function readCode(code: number | undefined): ReadAnswer {
  if (code === 200) return "acknowledgment";
  return code !== undefined && code >= 400 && code < 500 ? "refusal" : "garbled";
}

function statusCodeOf(body: string): number | undefined {
  try {
    const read: unknown = JSON.parse(body);
    const code: unknown = typeof read === "object" && read !== null && "status_code" in read ? read.status_code : undefined;
    return typeof code === "number" ? code : undefined;
  } catch {
    return undefined;
  }
}

function garbledBecause({ status = 200 }: ScriptedAck): string {
  return status >= 300
    ? `the first was accepted and answered with HTTP ${status}`
    : "the first was accepted and answered with a body that is no acknowledgment";
}
