import TinyQueue from "tinyqueue";
import type { AccountEvent } from "../account/account-event.ts";
import type { Attempted, ScenariosChanged, TimelineStepped } from "../account/events.ts";
import { type AccountState, isCarrierDown, type Registration } from "../account/state.ts";
import { isUnresolved, reversalAt, type Transaction } from "../account/transaction.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import { lastStepped, nextDue } from "../account/apply-scenarios.ts";
import type { Instant } from "../domain/time.ts";

/** Work that happens by itself at a moment of the account's time. */
export type Task =
  | { readonly kind: "settle"; readonly requestId: string }
  | { readonly kind: "reverse"; readonly requestId: string }
  | { readonly kind: "attempt"; readonly requestId: string; readonly delivery: number }
  | { readonly kind: "decide-sender-id"; readonly id: string }
  | { readonly kind: "step"; readonly scenario: string; readonly step: number };

/** A task with what decides its turn. All of it follows from the journal, so a restart changes no order. */
export interface Due {
  readonly at: Instant;
  /** The number of the event that planned it. */
  readonly plannedBy: number;
  /** Its place among what that event planned for one moment. */
  readonly place: number;
  readonly task: Task;
}

/** Compares by turn: by moment, then by the event that planned it, then by its place in that event. */
function byTurn(one: Due, other: Due): number {
  return one.at - other.at || one.plannedBy - other.plannedBy || one.place - other.place;
}

/** The due work of an account, by turn. An index of the state: entries that no longer match the state are skipped. */
export class Agenda {
  readonly #queue = new TinyQueue<Due>([], byTurn);
  /** Results that came up while their carrier was down. */
  readonly #heldBack = new Map<Carrier, Due[]>();

  plan(due: readonly Due[]): void {
    for (const one of due) this.#queue.push(one);
  }

  /** Returns the next task that is still valid. Holds back the results of a carrier that is down until it is up again. */
  next(state: AccountState): Due | undefined {
    if (this.#heldBack.size > 0) this.#planWhatIsFree(state);
    for (let entry = this.#queue.peek(); entry !== undefined; entry = this.#queue.peek()) {
      if (isStillDue(state, entry)) {
        const carrier = carrierDown(state, entry);
        if (carrier === undefined) return entry;
        this.#holdBack(carrier, entry);
      }
      this.#queue.pop();
    }
    return undefined;
  }

  take(): void {
    this.#queue.pop();
  }

  clear(): void {
    this.#queue.data.length = 0;
    this.#queue.length = 0;
    this.#heldBack.clear();
  }

  #holdBack(carrier: Carrier, due: Due): void {
    const others = this.#heldBack.get(carrier);
    if (others === undefined) this.#heldBack.set(carrier, [due]);
    else others.push(due);
  }

  #planWhatIsFree(state: AccountState): void {
    for (const [carrier, held] of this.#heldBack) {
      if (isCarrierDown(state, carrier)) continue;
      this.#heldBack.delete(carrier);
      this.plan(held);
    }
  }
}

/** Returns all pending work of a state, unordered. */
export function allDue(state: AccountState): Due[] {
  return [
    ...[...state.transactions.values()].flatMap(dueOf),
    ...state.scenarios.flatMap((active) => stepsOf(active, state)),
    ...[...state.registrations.values()].flatMap(decisionOf),
  ];
}

/** Pending work, and when it comes; a result that a carrier keeps back has no moment until the carrier is up. */
export interface PendingWork {
  readonly at: Instant | undefined;
  readonly task: Task;
}

/** Returns all pending work, soonest first. What should have happened by now, and is under way or waits, comes now. */
export function allPending(state: AccountState, now: Instant): PendingWork[] {
  const pending = allDue(state)
    .sort(byTurn)
    .map((due): PendingWork => {
      const at = carrierDown(state, due) === undefined ? Math.max(now, due.at) : undefined;
      return { at, task: due.task };
    });
  return pending.sort((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity) || 0);
}

/** Returns the work that follows from an event. */
export function dueFromEvent(event: AccountEvent, state: AccountState): Due[] {
  switch (event.kind) {
    case "snapshot":
      return allDue(state);
    case "accepted":
    case "settled":
      return dueOfRequest(event.requestId, state);
    case "attempted":
      return [...dueOfDelivery(event, state), ...reorderedDueAt(event, state)];
    case "resend-requested":
      return dueOfRequest(event.requestId, state).slice(-1);
    case "sender-id-submitted": {
      const registration = state.registrations.get(event.id);
      return registration === undefined ? [] : decisionOf(registration);
    }
    case "scenarios-changed":
      return scheduledAnew(event, state);
    case "timeline-stepped":
      return comingFromStep(event, state);
    default:
      return [];
  }
}

function scheduledAnew({ begun, swapped = [] }: ScenariosChanged, state: AccountState): Due[] {
  const changed = state.scenarios.filter(({ scenario: { name } }) => begun.includes(name) || swapped.includes(name));
  return changed.flatMap((active) => stepsOf(active, state));
}

/** Returns the pending work of one delivery. */
export function dueOfDelivery(
  { requestId, delivery }: Pick<Attempted, "requestId" | "delivery">,
  state: AccountState,
): Due[] {
  return dueOfRequest(requestId, state).filter(({ task }) => task.kind === "attempt" && task.delivery === delivery);
}

/** Returns the callbacks that have now let enough others pass. */
function reorderedDueAt({ at }: Attempted, state: AccountState): Due[] {
  return [...state.reordered].flatMap((requestId) => dueOfRequest(requestId, state)).filter((due) => due.at <= at);
}

function comingFromStep({ scenario, step }: TimelineStepped, state: AccountState): Due[] {
  const active = state.scenarios.find(({ scenario: { name } }) => name === scenario);
  if (active === undefined) return [];
  return stepsOf(active, state).filter(({ task }) => task.kind === "step" && task.step === step);
}

function dueOfRequest(requestId: string, state: AccountState): Due[] {
  const transaction = state.transactions.get(requestId);
  return transaction === undefined ? [] : dueOf(transaction);
}

/** Returns the pending steps of one scenario's timeline. Steps of scenarios that started together come by priority. */
function stepsOf({ scenario: { name, timeline = [] } }: RunningScenario, state: AccountState): Due[] {
  const priority = state.scenarios.findIndex(({ scenario }) => scenario.name === name);
  return timeline.flatMap((_timing, step): Due[] => {
    const next = nextStep(state, name, step);
    return next === undefined
      ? []
      : [{ ...next, place: priority * BEYOND_ANY_TIMELINE + step, task: { kind: "step", scenario: name, step } }];
  });
}

/** More steps than any file has. */
const BEYOND_ANY_TIMELINE = 1_000_000;

/** Returns when a step is due next, and the event that planned it. */
function nextStep(state: AccountState, name: string, step: number): Pick<Due, "at" | "plannedBy"> | undefined {
  const at = nextDue(state, name, step);
  const plannedBy = lastStepped(state.stepped, name, step)?.number ?? state.scheduled.get(name) ?? 0;
  return at === undefined ? undefined : { at, plannedBy };
}

/** Returns the pending decision about a sender ID. */
function decisionOf({ submitted, plannedBy, decided }: Registration): Due[] {
  const { id, decidesAt } = submitted;
  return decided === undefined ? [{ at: decidesAt, plannedBy, place: 0, task: { kind: "decide-sender-id", id } }] : [];
}

/** Returns the pending work of one transaction. */
export function dueOf(transaction: Transaction): Due[] {
  const { accepted, progress } = transaction;
  const { requestId } = accepted;
  if (progress.state === "stuck") return [];
  if (progress.state === "queued")
    return [{ at: progress.settlesAt, plannedBy: progress.plannedBy, place: 0, task: { kind: "settle", requestId } }];
  const attempts = progress.deliveries.flatMap(({ number, next }): Due[] =>
    next === "none"
      ? []
      : [
          {
            at: next.dueAt,
            plannedBy: next.plannedBy,
            place: number,
            task: { kind: "attempt", requestId, delivery: number },
          },
        ],
  );
  const at = reversalAt(transaction);
  if (at === undefined) return attempts;
  // Before the callback that tells it.
  return [{ at, plannedBy: progress.settledBy, place: 0, task: { kind: "reverse", requestId } }, ...attempts];
}

function isStillDue(state: AccountState, { at, plannedBy, task }: Due): boolean {
  if (task.kind === "decide-sender-id") return state.registrations.get(task.id)?.decided === undefined;
  if (task.kind !== "step") return isResultAhead(state, task, { at, plannedBy });
  const next = nextStep(state, task.scenario, task.step);
  return next?.at === at && next.plannedBy === plannedBy;
}

function isResultAhead(
  state: AccountState,
  task: Extract<Task, { requestId: string }>,
  { at, plannedBy }: Pick<Due, "at" | "plannedBy">,
): boolean {
  const transaction = state.transactions.get(task.requestId);
  if (transaction === undefined) return false;
  const { progress } = transaction;
  if (task.kind === "settle") return progress.state === "queued" && progress.settlesAt === at;
  if (task.kind === "reverse") return reversalAt(transaction) === at;
  if (isUnresolved(progress)) return false;
  // A retry without a pause is due at the moment of the attempt before it, and has another turn.
  return progress.deliveries.some(
    ({ number, next }) =>
      number === task.delivery && next !== "none" && next.dueAt === at && next.plannedBy === plannedBy,
  );
}

/** Returns the carrier that keeps a result back. */
function carrierDown(state: AccountState, { task }: Due): Carrier | undefined {
  if (task.kind !== "settle") return undefined;
  const carrier = state.transactions.get(task.requestId)?.accepted.carrier;
  return carrier !== undefined && isCarrierDown(state, carrier) ? carrier : undefined;
}
