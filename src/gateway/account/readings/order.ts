import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { type Kes, NO_MONEY } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import { hasContent, isOfGateway } from "../../domain/refusal.ts";
import type { Millis } from "../../domain/time.ts";
import type { AppliedRules, Breakage } from "../../scenario/applied-rules.ts";
import { type ScriptedCallback, spoiltBy } from "../../scenario/effects/callback-flags.ts";
import type { Attempted, ClientLeft, Settled } from "../events.ts";
import { isUnresolved, latestResult, type Transaction } from "../transaction.ts";
import { type RequestRow, rowOf } from "./requests.ts";

/** What became of one request: the only place that judges what happened, and what the backend can know of it. */
export interface OrderReading {
  readonly asked: Order | undefined;
  readonly answered: Acknowledgment;
  /** Whether it was accepted, and has not failed or been taken back. */
  readonly sold: boolean;
  /** What reached the phone. */
  readonly delivered: DeliveredOrder | undefined;
  /** What came back when a success was taken back; undefined if none was. */
  readonly refunded: Kes | undefined;
  readonly charged: Kes;
  readonly held: Kes;
  /** What each callback that the receiver acknowledged said, in order. */
  readonly told: readonly Said[];
  readonly known: Known | "refused";
  /** Whether word of the outcome reached the backend: the gateway's own refusal, or an intact callback, acknowledged or not. */
  readonly isTold: boolean;
  /** Whether a scenario dropped the callback, and nobody has sent it since. */
  readonly isSilenced: boolean;
}

interface AcceptedReading extends OrderReading {
  readonly known: Known;
}

/** What the client got. `scenario`: something else answered in the gateway's place, as a proxy would. */
type Acknowledgment =
  | { readonly by: "gateway" | "scenario"; readonly status: number; readonly delay: Millis }
  | { readonly by: "nobody"; readonly because: Breakage | ClientLeft | undefined };

export type DeliveredOrder =
  | { readonly phoneNumber: string; readonly amount: Kes }
  /** `parts` are those that arrived, if some were lost. */
  | { readonly phoneNumber: string; readonly message: string; readonly parts?: readonly number[] };

/** What a callback said. One that cannot be read, has another content type or names an id that was never issued says no result. */
type Said = "delivered" | "failed" | "reversed" | Unusable;
type Unusable = "unreadable" | "wrong_type" | "other_id";

/**
 * What a backend can know of an accepted request. `both`: the callbacks contradict one another. `reversed`: one said that a success was
 * taken back. `other_id`: told under an id that the backend never got.
 */
export const KNOWN = [
  "nothing",
  "accepted",
  "delivered",
  "failed",
  "both",
  "reversed",
  "unreadable",
  "wrong_type",
  "other_id",
] as const;
type Known = (typeof KNOWN)[number];

type Request = Pick<RequestRow, "statusCode" | "order" | "rules" | "answer">;
type Aftermath = Partial<Pick<Transaction, "accepted" | "progress" | "left">>;

/** Reads an accepted request. */
export function readAccepted(transaction: Transaction): AcceptedReading {
  return read(rowOf(0, transaction.accepted), transaction);
}

/** Reads any request, with its transaction if it was accepted. */
export function readOrder(request: Request, aftermath: Aftermath = {}): OrderReading {
  const reading = read(request, aftermath);
  return isRefusal(reading.answered) ? { ...reading, known: "refused" } : reading;
}

function read(request: Request, aftermath: Aftermath): AcceptedReading {
  const { accepted, progress } = aftermath;
  const answered = answerTo(request, aftermath);
  const told = saidBy(aftermath, ({ outcome }) => isAcknowledged(outcome));
  const isSettled = progress !== undefined && !isUnresolved(progress);
  return {
    asked: request.order,
    answered,
    sold: progress !== undefined && progress.state !== "failed" && progress.state !== "reversed",
    delivered: deliveredOf(aftermath),
    refunded: progress?.state === "reversed" ? progress.reversed.refund : undefined,
    charged: isSettled ? latestResult(progress).charge : NO_MONEY,
    held: accepted === undefined || isSettled ? NO_MONEY : accepted.hold,
    told,
    known: knownOf(answered, told),
    isTold: isToldOf(answered, aftermath),
    isSilenced: isSilenced(aftermath),
  };
}

/** Says what the client of a request got. */
export function answerTo(request: Request, { left }: Aftermath = {}): Acknowledgment {
  const { statusCode, rules = {} } = request;
  const { breakage, ack }: Partial<AppliedRules> = rules;
  if (statusCode === 0 || breaks(breakage)) return { by: "nobody", because: breakage };
  if (left !== undefined) return { by: "nobody", because: left };
  const { status = statusCode, delay = 0 } = ack ?? {};
  return { by: isOfGatewayItself(request) ? "gateway" : "scenario", status, delay };
}

/** Returns whether the client gets no whole response. `drip` is slow but whole. */
function breaks(breakage: Breakage | undefined): boolean {
  return breakage !== undefined && breakage !== "drip";
}

/** Returns whether the client got a refusal of the gateway's own. */
function isRefusal(answered: Acknowledgment): boolean {
  return answered.by === "gateway" && answered.status >= 300;
}

function isOfGatewayItself({ statusCode, rules, answer }: Request): boolean {
  if (statusCode !== 200) return answer === undefined && isOfGateway(statusCode);
  const { status = 200, body } = rules?.ack ?? {};
  return body === undefined && status < 300 && hasContent(status);
}

function deliveredOf({ accepted, progress }: Aftermath): DeliveredOrder | undefined {
  if (accepted === undefined || progress === undefined || isUnresolved(progress)) return undefined;
  const { order } = accepted;
  const { settled } = progress;
  if (!hasArrived(settled)) return undefined;
  const { phoneNumber } = order;
  if (order.operation === "airtime") return { phoneNumber, amount: order.amount };
  return { phoneNumber, message: order.message, parts: settled.delivered };
}

/** Returns whether anything reached the phone: a message that failed may have arrived in part. */
export function hasArrived({ outcome, delivered = [] }: Settled): boolean {
  return outcome === "succeeded" || delivered.length > 0;
}

/** What the chosen callbacks said. */
function saidBy({ progress }: Aftermath, isMeant: (attempt: Attempted) => boolean): readonly Said[] {
  if (progress === undefined || isUnresolved(progress)) return [];
  const [truth, opposite] =
    progress.settled.outcome === "succeeded" ? (["delivered", "failed"] as const) : (["failed", "delivered"] as const);
  return progress.attempts.filter(isMeant).map(({ scripted = {} }) => {
    const unusable = unusableBy(scripted);
    if (unusable !== undefined) return unusable;
    if (scripted.contradict === true) return opposite;
    return scripted.reverse === true && progress.state === "reversed" ? "reversed" : truth;
  });
}

/** Returns why a callback can tell nothing, if it cannot. Whatever its headers, its body says the result. */
function unusableBy({ headers: _headers, ...scripted }: ScriptedCallback): Unusable | undefined {
  const { wrong_content_type: _type, ...rest } = scripted;
  if (scripted.unknown_id === true) return "other_id";
  if (spoiltBy(scripted) === undefined) return undefined;
  return spoiltBy(rest) === undefined ? "wrong_type" : "unreadable";
}

function knownOf(answered: Acknowledgment, told: readonly Said[]): Known {
  if (answered.by !== "gateway") return told.length === 0 ? "nothing" : "other_id";
  if (told.includes("reversed")) return "reversed";
  const results = new Set(told.filter((one) => one === "delivered" || one === "failed"));
  if (results.size > 1) return "both";
  const [result] = results;
  return result ?? told.at(-1) ?? "accepted";
}

/** A body that is whole says the result, whatever its content type. Contradictions tell nothing. */
function isToldOf(answered: Acknowledgment, aftermath: Aftermath): boolean {
  if (isRefusal(answered)) return true;
  if (answered.by !== "gateway") return false;
  const said = saidBy(aftermath, isReceived);
  if (aftermath.progress?.state === "reversed") return said.includes("reversed");
  const opposite = aftermath.progress?.state === "succeeded" ? "failed" : "delivered";
  return said.some(saysResult) && !said.includes(opposite);
}

function saysResult(said: Said): boolean {
  return said !== "unreadable" && said !== "other_id";
}

/** Returns whether the receiver acknowledged a callback that it could read. */
export function isReported({ outcome, scripted = {} }: Attempted): boolean {
  return isAcknowledged(outcome) && saysResult(unusableBy(scripted) ?? "delivered");
}

/** Returns whether the callback reached the receiver, whatever that answered. */
export function isReceived({ outcome: { kind } }: Attempted): boolean {
  return kind === "answered" || kind === "redirect" || kind === "timed_out" || kind === "reset";
}

function isSilenced({ accepted, progress }: Aftermath): boolean {
  if (accepted === undefined || progress === undefined || isUnresolved(progress)) return false;
  // Without a URL, nothing would have been sent anyway.
  const { callback } = progress.settled;
  return progress.deliveries.length === 0 && "none" in callback && callback.none === accepted.plan.callback?.dropped;
}
