import type { Accepted, ConnectionCut } from "../../gateway/account/events.ts";
import type { ScriptedAck, Breakage } from "../../gateway/scenario/applied-rules.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { describeDuration } from "./describe.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";

/** The wall time in which a client cannot know the outcome of its order: from when it may give up until it has an answer. */
export interface Uncertainty {
  readonly from: Instant;
  readonly until: Instant;
  /** The reason, as part of a sentence: "the connection of the first was broken (reset)". */
  readonly because: string;
}

/** No client gives up sooner: an identical order that arrives earlier was ordered twice, not retried. */
const SHORTEST_TIMEOUT: Millis = SECOND;

/** Returns the uncertainty caused by a scenario; undefined if the client got the complete acknowledgment at once. */
export function uncertaintyOf(event: Accepted | ConnectionCut): Uncertainty | undefined {
  const { ack, breakage } = event.rules ?? {};
  const at = sentAt(event);
  if (breakage !== undefined) return afterBreakage(breakage, at, ack?.delay ?? 0);
  if (ack === undefined) return undefined;
  const answer = classifyAnswer(ack);
  if (answer === "garbled") return { from: at + ack.delay, until: Infinity, because: describeGarbled(ack) };
  if (ack.delay < SHORTEST_TIMEOUT) return undefined;
  const because = `the acknowledgment of the first was still due after ${describeDuration(ack.delay)}`;
  return { from: at + SHORTEST_TIMEOUT, until: at + ack.delay, because };
}

/** The client closed the connection itself, so it never got the acknowledgment. */
export function uncertaintyAfterDisconnect(at: Instant, waited: Millis): Uncertainty {
  const because = `the client had left the first after ${describeDuration(waited)}, before its acknowledgment`;
  return { from: at, until: Infinity, because };
}

/** Returns whether a scenario answered an accepted order with a refusal, so that sending it again is right. */
export function wasAnsweredAsRefused({ rules }: Accepted): boolean {
  return rules?.ack !== undefined && rules.breakage === undefined && classifyAnswer(rules.ack) === "refusal";
}

/** With a hanging or dripping answer, a client waits until it times out. It notices the other breakages at once. */
function afterBreakage(breakage: Breakage, at: Instant, delay: Millis): Uncertainty {
  const timeout = breakage === "hang" || breakage === "drip" ? SHORTEST_TIMEOUT : 0;
  return {
    from: at + delay + timeout,
    until: Infinity,
    because: `the connection of the first was broken (${breakage})`,
  };
}

/** Classifies an acknowledgment that a scenario rewrote as a client would read it. A 5xx leaves the outcome open (public-facts.md). */
function classifyAnswer({ status = 200, body }: ScriptedAck): "acknowledgment" | "refusal" | "garbled" {
  const code = status >= 300 || body === undefined ? status : statusCodeIn(body);
  if (code >= 200 && code < 300) return "acknowledgment";
  return code >= 400 && code < 500 ? "refusal" : "garbled";
}

/** Returns the status_code in a body; 0 without one. */
function statusCodeIn(body: string): number {
  try {
    const read: unknown = JSON.parse(body);
    const isEnvelope = typeof read === "object" && read !== null && "status_code" in read;
    return isEnvelope ? Number(read.status_code) : 0;
  } catch {
    return 0;
  }
}

function describeGarbled({ status = 200 }: ScriptedAck): string {
  const answer = status >= 300 ? `HTTP ${status}` : "a body that is no acknowledgment";
  return `the first was accepted and answered with ${answer}`;
}
