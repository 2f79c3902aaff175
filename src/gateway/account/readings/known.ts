import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { isOfGateway } from "../../domain/refusal.ts";
import type { AppliedRules, Breakage } from "../../scenario/applied-rules.ts";
import { type ScriptedCallback, spoiltBy } from "../../scenario/effects/callback-flags.ts";
import type { Attempted, RequestEvent } from "../events.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";

/** What the backend can know of an order that was accepted. */
export type Known = "nothing" | "accepted" | Outcome | "both" | Unreadable | "other_id";

type Outcome = "delivered" | "failed";

/** Why a callback that arrived told nothing: its body was not JSON, its Content-Type was not, or it named an id never issued. */
type Unreadable = "malformed" | "wrong_type" | "unknown_id";

/** Returns what the backend can know; `other_id` if only a callback came, for a request_id that no acknowledgment had named. */
export function knownOf(transaction: Transaction): Known {
  const told = tellings(transaction);
  const results = new Set(told.filter((one) => one === "delivered" || one === "failed"));
  if (isAcknowledgmentLost(transaction.accepted.rules, transaction.left !== undefined))
    return told.length === 0 ? "nothing" : "other_id";
  if (results.size > 1) return "both";
  const [result] = results;
  return result ?? told.at(-1) ?? "accepted";
}

/** A callback that its receiver did not acknowledge is not taken to have told it anything. */
function tellings({ progress }: Transaction): readonly (Outcome | Unreadable)[] {
  if (isUnresolved(progress)) return [];
  return progress.attempts
    .filter(({ outcome }) => isAcknowledged(outcome))
    .map(({ scripted = {} }) => {
      const unreadable = unreadableBy(scripted);
      if (unreadable !== undefined) return unreadable;
      return (progress.state === "succeeded") === (scripted.contradict !== true) ? "delivered" : "failed";
    });
}

/** Returns why a callback can tell nothing, if it cannot. */
function unreadableBy(scripted: ScriptedCallback): Unreadable | undefined {
  if (scripted.unknown_id === true) return "unknown_id";
  if (spoiltBy(scripted) === undefined) return undefined;
  return isComplete(scripted) ? "wrong_type" : "malformed";
}

/** Returns whether the callback's body is the gateway's. A wrong content type alone leaves the body complete. */
function isComplete(scripted: ScriptedCallback): boolean {
  const { wrong_content_type: _type, ...rest } = scripted;
  return spoiltBy(rest) === undefined;
}

/** Returns whether the callback reached the receiver, whatever that answered. */
export function isReceived({ outcome: { kind } }: Attempted): boolean {
  return kind === "answered" || kind === "redirect" || kind === "timed_out" || kind === "reset";
}

/**
 * Returns whether the application was told what became of a request: by a complete refusal of the gateway itself, or by an intact callback
 * for a request_id that a complete acknowledgment had named. A proxy's answer, silence or a broken connection tell nothing.
 */
export function isTold(event: RequestEvent, hasLeft: boolean, received: readonly Attempted[]): boolean {
  if (event.kind === "refused")
    return !hasLeft && !breaks(event.rules?.breakage) && event.answer === undefined && isOfGateway(event.code);
  if (event.kind === "cut" || isAcknowledgmentLost(event.rules, hasLeft)) return false;
  const own = received.filter(({ requestId }) => requestId === event.requestId);
  return (
    own.some(({ scripted = {} }) => isComplete(scripted)) && !own.some(({ scripted }) => scripted?.contradict === true)
  );
}

/** Returns whether the client got no whole acknowledgment of the gateway itself: its connection broke, it left, or something else answered. */
export function isAcknowledgmentLost(rules: Partial<AppliedRules> = {}, hasLeft: boolean): boolean {
  const { ack, breakage } = rules;
  return hasLeft || breaks(breakage) || (ack !== undefined && (ack.body !== undefined || (ack.status ?? 200) >= 300));
}

/** Returns whether the client gets no whole response. `drip` is slow but whole. */
export function breaks(breakage: Breakage | undefined): boolean {
  return breakage !== undefined && breakage !== "drip";
}
