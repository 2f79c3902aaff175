import { isAcknowledged, outcomeWord } from "../../domain/callback-outcome.ts";
import type { Instant } from "../../domain/time.ts";
import type { Attempted, RequestEvent } from "../events.ts";
import { isPending, isUnresolved, type Resolved, type Transaction } from "../transaction.ts";
import { answerOf, isAnsweredAfterCallbacks, responseTime } from "./answer.ts";
import { isReceived, readAttempt, receiverStatus } from "./callback.ts";
import { type EventWords, isIdUnread } from "./describe-event.ts";
import { differsFromResult, isJustifiedRejection, meaningOf } from "./request.ts";

/** One step in the life of an order, in a few words: asked, answered, delivered, told. */
export interface Milestone {
  /** On the account's clock. */
  readonly at: Instant;
  readonly what: string;
  readonly tone: EventWords["tone"];
}

/** What came of a request: its transaction if it was accepted. */
type Aftermath = Partial<Transaction>;

/** Reads the requests for one order, in the order in which they came: what happened until its outcome was told, oldest first. */
export function readMilestones(
  requests: readonly RequestEvent[],
  aftermathOf: (requestId: string) => Aftermath,
): Milestone[] {
  const all = requests
    .flatMap((event) => milestonesOf(event, aftermathOf(event.requestId)).map((one) => ({ ...one, of: event.content })))
    .sort((one, other) => one.at - other.at);
  const last = all.findLast(({ at }) => at < STILL)?.at ?? 0;
  const known = new Set<string>();
  return all.map(({ at, what, tone, of }) => {
    // An order in parts asks for something else each time.
    const isAgain = (what === "asked" || what === "delivered") && known.has(`${what} ${of}`);
    known.add(`${what} ${of}`);
    return { at: at === STILL ? last : at, what: isAgain ? `${what} again` : what, tone: isAgain ? "warm" : tone };
  });
}

/** Of what has not happened, and comes last. */
const STILL = Number.MAX_VALUE;

function milestonesOf(event: RequestEvent, aftermath: Aftermath): Milestone[] {
  const asked: Milestone = { at: event.at, what: "asked", tone: "plain" };
  const answered = answerMilestone(event, aftermath);
  const later = transactionMilestones(aftermath);
  const [told] = attemptsOf(aftermath);
  if (told === undefined || !isAnsweredAfterCallbacks(event)) return [asked, answered, ...later];
  return [asked, ...later, { ...answered, at: Math.max(answered.at, told.at) }];
}

/** A response that nobody ended has no moment of its own. */
function answerMilestone(event: RequestEvent, { left }: Aftermath): Milestone {
  const answer = answerOf(event, left);
  const waited = left?.waited ?? responseTime(event);
  const at = event.at + (Number.isFinite(waited) ? waited : 0);
  switch (answer.says) {
    case "accepted":
      return { at, what: "answered", tone: "plain" };
    case "refused":
      return { at, what: `refused ${answer.code}`, tone: "warm" };
    case "unclear":
      return { at, what: `answered ${answer.status}`, tone: "bad" };
    case "none":
      return { at, what: "no answer", tone: "bad" };
  }
}

function transactionMilestones({ accepted, progress, number = 0, left }: Aftermath): Milestone[] {
  if (accepted === undefined || progress === undefined) return [];
  if (isUnresolved(progress)) return [progress.state === "stuck" ? NEVER_SETTLES : NOT_SETTLED_YET];
  const { attempts } = progress;
  const known = [
    ...resultMilestones(progress),
    ...attempts.map((attempt, index) =>
      attemptMilestone(attempt, attempts.slice(0, index), { accepted, progress, left }),
    ),
  ];
  if (attempts.some(isReceived)) return known;
  return [...known, isPending({ accepted, progress, number }) ? NOT_TOLD_YET : NEVER_TOLD];
}

const NEVER_SETTLES: Milestone = { at: STILL, what: "never settles", tone: "bad" };
const NOT_SETTLED_YET: Milestone = { at: STILL, what: "not settled yet", tone: "plain" };
const NEVER_TOLD: Milestone = { at: STILL, what: "never told", tone: "bad" };
const NOT_TOLD_YET: Milestone = { at: STILL, what: "not told yet", tone: "plain" };

function resultMilestones(progress: Resolved): Milestone[] {
  const { at, outcome, resultCode } = progress.settled;
  const result: Milestone =
    outcome === "succeeded"
      ? { at, what: "delivered", tone: "good" }
      : { at, what: `failed ${resultCode}`, tone: "plain" };
  return progress.state === "reversed"
    ? [result, { at: progress.reversed.at, what: "reversed", tone: "bad" }]
    : [result];
}

function attemptsOf({ progress }: Aftermath): readonly Attempted[] {
  return progress === undefined || isUnresolved(progress) ? [] : progress.attempts;
}

/** "told", "told again: timed out", "told: failed" if it said something else than the result, "not told: refused". */
function attemptMilestone(
  attempt: Attempted,
  earlier: readonly Attempted[],
  sender: Pick<Transaction, "accepted" | "left"> & { readonly progress: Resolved },
): Milestone {
  const { at, outcome } = attempt;
  const end = String(receiverStatus(attempt) ?? outcomeWord(outcome)).replaceAll("_", " ");
  if (!isReceived(attempt)) return { at, what: `not told: ${end}`, tone: "bad" };
  const isAgain = earlier.some(isReceived);
  const what = isAgain ? "told again" : "told";
  const meaning = meaningOf(readAttempt(attempt, sender), sender);
  if (!isAcknowledged(outcome)) {
    const isJustified = isJustifiedRejection(attempt, meaning, sender.progress);
    return { at, what: `${what}: ${end}`, tone: isJustified ? "warm" : "bad" };
  }
  if (differsFromResult(meaning, sender.progress))
    return { at, what: `${what}: ${meaning.says.replaceAll("_", " ")}`, tone: "warm" };
  return { at, what, tone: isAgain || isIdUnread(sender) ? "warm" : "good" };
}
