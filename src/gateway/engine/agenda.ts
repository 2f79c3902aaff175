import TinyQueue from "tinyqueue";
import { type AccountState, isCarrierDown } from "../account/state.ts";
import { isUnresolved, reversalAt, type Transaction } from "../account/transaction.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import { nextMoment } from "../scenario/step-moments.ts";
import { lastStepped } from "../account/apply-scenarios.ts";
import type { Instant } from "../domain/time.ts";

/** Work that happens by itself at a moment of the account's time. */
export type Task =
  | { readonly kind: "settle"; readonly requestId: string }
  | { readonly kind: "reverse"; readonly requestId: string }
  | { readonly kind: "attempt"; readonly requestId: string; readonly delivery: number }
  | { readonly kind: "decide-sender-id"; readonly id: string }
  | { readonly kind: "step"; readonly scenario: string; readonly step: number };

export interface Due {
  readonly at: Instant;
  readonly task: Task;
}

interface Entry extends Due {
  /** The order of planning, which decides between tasks due at the same moment. */
  readonly order: number;
}

/** The due work of an account, soonest first. An index of the state: entries that no longer match the state are skipped. */
export class Agenda {
  #planned = 0;
  #queue = new TinyQueue<Entry>([], (one, other) => one.at - other.at || one.order - other.order);
  /** Results that came up while their carrier was down. */
  readonly #heldBack = new Map<Carrier, Due[]>();

  plan(due: readonly Due[]): void {
    for (const { at, task } of due) {
      this.#queue.push({ at, task, order: this.#planned });
      this.#planned += 1;
    }
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
export function everythingDue(state: AccountState): Due[] {
  const decisions = [...state.registrations.values()].filter(({ decided }) => decided === undefined);
  return [
    ...[...state.transactions.values()].flatMap(dueOf),
    ...state.scenarios.flatMap((active) => stepsOf(active, state.stepped)),
    ...decisions.map(({ submitted }): Due => ({
      at: submitted.decidesAt,
      task: { kind: "decide-sender-id", id: submitted.id },
    })),
  ];
}

/** Returns the pending steps of one scenario's timeline. */
export function stepsOf({ scenario, since }: RunningScenario, stepped: AccountState["stepped"]): Due[] {
  return (scenario.timeline ?? []).flatMap((timing, step): Due[] => {
    const at = nextMoment(timing, since, lastStepped(stepped, scenario.name, step));
    return at === undefined ? [] : [{ at, task: { kind: "step", scenario: scenario.name, step } }];
  });
}

/** Returns the pending work of one transaction. */
export function dueOf(transaction: Transaction): Due[] {
  const { accepted, progress } = transaction;
  const { requestId } = accepted;
  if (progress.state === "stuck") return [];
  if (progress.state === "queued") return [{ at: progress.settlesAt, task: { kind: "settle", requestId } }];
  const attempts = progress.deliveries.flatMap(({ number, next }): Due[] =>
    next === "none" ? [] : [{ at: next.dueAt, task: { kind: "attempt", requestId, delivery: number } }],
  );
  const reversesAt = reversalAt(transaction);
  // Before the callback that tells it.
  return reversesAt === undefined ? attempts : [{ at: reversesAt, task: { kind: "reverse", requestId } }, ...attempts];
}

function isStillDue(state: AccountState, { at, task }: Due): boolean {
  if (task.kind === "decide-sender-id") return state.registrations.get(task.id)?.decided === undefined;
  return task.kind === "step" ? isStepAhead(state, task, at) : isResultAhead(state, task, at);
}

function isResultAhead(state: AccountState, task: Extract<Task, { requestId: string }>, at: Instant): boolean {
  const transaction = state.transactions.get(task.requestId);
  if (transaction === undefined) return false;
  const { progress } = transaction;
  if (task.kind === "settle") return progress.state === "queued" && progress.settlesAt === at;
  if (task.kind === "reverse") return reversalAt(transaction) === at;
  if (isUnresolved(progress)) return false;
  return progress.deliveries.some(
    ({ number, next }) => number === task.delivery && next !== "none" && next.dueAt === at,
  );
}

/** Returns the carrier that keeps a result back. */
function carrierDown(state: AccountState, { task }: Due): Carrier | undefined {
  if (task.kind !== "settle") return undefined;
  const carrier = state.transactions.get(task.requestId)?.accepted.carrier;
  return carrier !== undefined && isCarrierDown(state, carrier) ? carrier : undefined;
}

function isStepAhead(
  state: AccountState,
  { scenario: name, step }: Extract<Task, { kind: "step" }>,
  at: Instant,
): boolean {
  const active = state.scenarios.find(({ scenario }) => scenario.name === name);
  const timing = active?.scenario.timeline?.[step];
  return timing !== undefined && nextMoment(timing, active?.since ?? 0, lastStepped(state.stepped, name, step)) === at;
}
