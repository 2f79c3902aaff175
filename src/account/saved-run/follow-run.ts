import { apply } from "../apply.ts";
import { identify, identityOf } from "../decide/identify.ts";
import { isRequestEvent } from "../event-guards.ts";
import type { Opened, RequestEvent, Settled } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import { isCarrierDown } from "../outages.ts";
import type { AccountState } from "../state.ts";
import type { LabelledRandom } from "../../domain/draws.ts";
import { orderContent } from "../../domain/order.ts";
import type { RunIdentity } from "../../scenario/setup.ts";
import type { TimelineStep } from "../../scenario/timeline.ts";
import type { Instant, Millis } from "../../domain/time.ts";
import { type SavedResult, reachedRules, type SavedRequest, type SavedOrder } from "./saved-rules.ts";
import { actionsBetween, changesTimelineState, type TimelineState, timelineStateOf } from "./timeline-state.ts";

/** A run, followed from the account's opening to the end. */
export interface FollowedRun {
  /** The account's state before its first request. */
  readonly initial: TimelineState;
  readonly identity: RunIdentity;
  readonly saved: readonly SavedRequest[];
  readonly timeline: readonly TimelineStep[];
  readonly state: AccountState;
  /** Every sender ID that the account ever had. */
  readonly senderIds: AccountState["senderIds"];
  /** Counts of what a scenario cannot express. */
  readonly omissions: ReadonlyMap<Omission, number>;
}

export type Omission = keyof typeof OMISSIONS;

/** Comments for the head of the file. */
export const OMISSIONS = {
  misplaced: "manual changes came between requests or results of the same moment; here they come after them",
  heldBack: "results were settled manually while their carrier was down; here they wait for it",
  unpaid: "transactions that could not be paid were settled manually; here they end as planned",
  resends: "callbacks were resent manually; here they are not",
  foreignIds: "request ids were not drawn from this account and seed (imported, or the seed changed); here they differ",
  callbacks:
    "changes to callback settings; here the last URLs apply, with the account's own retries, headers and limits",
  details: "changes to the organization or the secret; here the account's own apply",
  clock: "changes of the clock's mode; change it yourself",
  unprintable: "messages contain half a character, which a file cannot represent; their rules match nothing",
} as const;

/** Follows the events of one run; `events` follow its opening. */
export function followRun(opened: Opened, events: readonly AccountEvent[], random: LabelledRandom): FollowedRun {
  const follower = new Follower(opened, random);
  for (const event of events) follower.follow(event);
  return follower.run;
}

class Follower {
  readonly #random: LabelledRandom;
  readonly #began: Instant;
  readonly #order = new OrderOfEvents();
  readonly #saved: SavedRequest[] = [];
  readonly #orders = new Map<string, { readonly index: number; readonly one: SavedOrder }>();
  readonly #timeline: TimelineStep[] = [];
  readonly #omissions = new Map<Omission, number>();
  readonly #senderIds: AccountState["senderIds"] = new Map();
  #state: AccountState;
  #timelineState: TimelineState;
  #initial: TimelineState | undefined;
  #identity: RunIdentity | undefined;

  constructor(opened: Opened, random: LabelledRandom) {
    this.#random = random;
    this.#began = opened.at;
    this.#state = apply(undefined, opened);
    this.#timelineState = timelineStateOf(this.#state);
    this.#collectSenderIds();
  }

  get run(): FollowedRun {
    if (this.#order.misplaced > 0) this.#omissions.set("misplaced", this.#order.misplaced);
    return {
      initial: this.#initial ?? this.#timelineState,
      identity: this.#identity ?? identityOf(this.#state),
      saved: this.#saved,
      timeline: this.#timeline,
      state: this.#state,
      senderIds: this.#senderIds,
      omissions: this.#omissions,
    };
  }

  follow(event: AccountEvent): void {
    if (this.#initial === undefined && (isRequestEvent(event) || event.at > this.#began))
      this.#initial = this.#timelineState;
    if (isRequestEvent(event)) this.#request(event);
    if (event.kind === "settled") this.#settle(event);
    this.#note(event);
    this.#state = apply(this.#state, event);
    if (changesTimelineState(event)) this.#change(event.at - this.#began);
    else this.#timelineState = { ...this.#timelineState, available: timelineStateOf(this.#state).available };
  }

  #request(event: RequestEvent): void {
    this.#order.passes({ at: event.at - this.#began, phase: 2, turn: this.#state.requests });
    if (event.kind === "refused" && !reachedRules(event)) return;
    this.#identify(event);
    if (event.kind !== "accepted") {
      this.#saved.push(event);
      return;
    }
    const one: SavedOrder = { kind: "accepted", accepted: event };
    this.#orders.set(event.requestId, { index: this.#saved.push(one) - 1, one });
  }

  #identify(event: RequestEvent): void {
    const order = "order" in event ? event.order : undefined;
    const identity = identityOf(this.#state);
    this.#identity ??= identity;
    const isOwn = identity.seed === this.#identity.seed && identity.account === this.#identity.account;
    const { draws } = identify(
      this.#state,
      order === undefined ? "account-details" : orderContent(order),
      this.#random,
    );
    if (!isOwn || draws.uuid() !== event.requestId) this.#count("foreignIds");
    if (order?.operation === "sms" && /\p{Cs}/u.test(order.message)) this.#count("unprintable");
  }

  #settle(settled: Settled): void {
    const known = this.#orders.get(settled.requestId);
    if (known === undefined) return;
    const { accepted } = known.one;
    const place = { at: settled.at - this.#began, phase: 1, turn: known.index } as const;
    const end: SavedResult = isByHand(known.one, settled)
      ? this.#settleByHand(known.one, settled, place.at)
      : { settled };
    if (end.byHandAfter === undefined && settled.at === accepted.at + settleAfter(known.one)) this.#order.passes(place);
    this.#saved[known.index] = { ...known.one, end };
  }

  #settleByHand({ accepted }: SavedOrder, settled: Settled, at: Millis): SavedResult {
    if (isCarrierDown(this.#state, accepted.carrier)) this.#count("heldBack");
    if (accepted.plan.result.outcome === "insufficient_funds") this.#count("unpaid");
    const index = this.#orders.get(accepted.requestId)?.index ?? 0;
    const placed = this.#order.placeByHand({ at, phase: 1, turn: index });
    return { settled, byHandAfter: placed - (accepted.at - this.#began) };
  }

  #change(at: Millis): void {
    const before = this.#timelineState;
    this.#timelineState = timelineStateOf(this.#state);
    this.#collectSenderIds();
    if (this.#initial === undefined) return;
    for (const action of actionsBetween(before, this.#timelineState))
      this.#timeline.push({ at: this.#order.placeByHand({ at, phase: 0, turn: this.#timeline.length }), do: action });
  }

  #collectSenderIds(): void {
    for (const [senderId, carriers] of this.#state.senderIds)
      this.#senderIds.set(senderId, new Set([...(this.#senderIds.get(senderId) ?? []), ...carriers]));
  }

  #note(event: AccountEvent): void {
    const what = omissionOf(event, this.#state);
    const isSaidBySetup = what === "callbacks" && this.#saved.length === 0;
    if (what !== undefined && !isSaidBySetup) this.#count(what);
  }

  #count(what: Omission): void {
    this.#omissions.set(what, (this.#omissions.get(what) ?? 0) + 1);
  }
}

function omissionOf(event: AccountEvent, { clock }: AccountState): Omission | undefined {
  switch (event.kind) {
    case "resend-requested":
      return "resends";
    case "callbacks-changed":
      return "callbacks";
    case "clock-changed":
      return event.clock.mode === clock.mode ? undefined : "clock";
    case "account-changed":
      return event.organization === undefined && event.consumer_secret === undefined ? undefined : "details";
    default:
      return undefined;
  }
}

function settleAfter({ accepted }: SavedOrder): Millis {
  return accepted.plan.settleAfter === "never" ? Number.POSITIVE_INFINITY : accepted.plan.settleAfter;
}

/** A late result waited for its carrier, which the timeline repeats. */
function isByHand(saved: SavedOrder, { at, resultCode, resultDesc }: Settled): boolean {
  const { result } = saved.accepted.plan;
  return (
    at < saved.accepted.at + settleAfter(saved) || resultCode !== result.resultCode || resultDesc !== result.resultDesc
  );
}

/** A position in the replay. At the same moment, the timeline comes first, then results in the order of their requests, then requests. */
interface ReplayPosition {
  readonly at: Millis;
  readonly phase: 0 | 1 | 2;
  readonly turn: number;
}

/**
 * Finds positions in the replay for manual changes. They happen by the clock there, so one may have to wait a millisecond to stay behind
 * what came before it. Counts those that cannot keep their position.
 */
class OrderOfEvents {
  #last: ReplayPosition = { at: 0, phase: 0, turn: -1 };
  #lastByHand: ReplayPosition | undefined;
  #misplaced = 0;

  /** The number of manual changes that come later than they did, because something else happened at the same moment. */
  get misplaced(): number {
    return this.#misplaced;
  }

  /** Records something that the replay does at its right position by itself. */
  passes(place: ReplayPosition): void {
    if (this.#lastByHand !== undefined && isBefore(place, this.#lastByHand)) {
      this.#misplaced += 1;
      this.#lastByHand = undefined;
    }
    if (isBefore(this.#last, place)) this.#last = place;
  }

  /** Returns the earliest moment, from the original one on, that keeps it after everything before it. */
  placeByHand(wanted: ReplayPosition): Millis {
    const soonest = isBefore(this.#last, wanted) ? wanted : { ...wanted, at: Math.max(wanted.at, this.#last.at) };
    const place = isBefore(this.#last, soonest) ? soonest : { ...soonest, at: soonest.at + 1 };
    this.#last = place;
    this.#lastByHand = place;
    return place.at;
  }
}

function isBefore(one: ReplayPosition, other: ReplayPosition): boolean {
  return (
    one.at - other.at < 0 ||
    (one.at === other.at && (one.phase < other.phase || (one.phase === other.phase && one.turn < other.turn)))
  );
}
