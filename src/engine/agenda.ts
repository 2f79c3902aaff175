import TinyQueue from "tinyqueue";
import type { AccountState } from "../account/state.ts";
import type { Progress, Transaction } from "../account/transaction.ts";
import type { Instant } from "../domain/time.ts";

/** Something that happens by itself at a moment of the account's time. */
export type Task =
  | { readonly kind: "settle"; readonly requestId: string }
  | { readonly kind: "attempt"; readonly requestId: string; readonly delivery: number }
  | { readonly kind: "decide-sender-id"; readonly id: string };

export interface Due {
  readonly at: Instant;
  readonly task: Task;
}

interface Entry extends Due {
  /** Of two tasks due at the same moment, the one that was planned first goes first. */
  readonly order: number;
}

/** What is due when, soonest first. An index of the state: an entry that the state no longer bears out is passed over. */
export class Agenda {
  #planned = 0;
  #queue = new TinyQueue<Entry>([], (one, other) => one.at - other.at || one.order - other.order);

  plan(due: readonly Due[]): void {
    for (const { at, task } of due) {
      this.#queue.push({ at, task, order: this.#planned });
      this.#planned += 1;
    }
  }

  /** The next task that still stands. */
  next(state: AccountState): Due | undefined {
    for (let entry = this.#queue.peek(); entry !== undefined; entry = this.#queue.peek()) {
      if (stands(state, entry)) return entry;
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
  }
}

/** Everything that a state has coming, in no order. */
export function everythingDue(state: AccountState): Due[] {
  const decisions = [...state.registrations.values()].filter(({ decided }) => decided === undefined);
  return [
    ...[...state.transactions.values()].flatMap(dueOf),
    ...decisions.map(({ submitted }): Due => ({ at: submitted.decidesAt, task: { kind: "decide-sender-id", id: submitted.id } })),
  ];
}

/** What one transaction has coming. */
export function dueOf({ accepted, progress }: Transaction): Due[] {
  const { requestId } = accepted;
  if (progress.state === "queued") return [{ at: progress.settlesAt, task: { kind: "settle", requestId } }];
  return progress.deliveries.flatMap(({ number, next }): Due[] =>
    next === "none" ? [] : [{ at: next.dueAt, task: { kind: "attempt", requestId, delivery: number } }],
  );
}

function stands(state: AccountState, { at, task }: Due): boolean {
  if (task.kind === "decide-sender-id") return state.registrations.get(task.id)?.decided === undefined;
  const progress = state.transactions.get(task.requestId)?.progress;
  if (progress === undefined) return false;
  return task.kind === "settle" ? settlesAt(progress) === at : triesAt(progress, task.delivery) === at;
}

function settlesAt(progress: Progress): Instant | undefined {
  return progress.state === "queued" ? progress.settlesAt : undefined;
}

function triesAt(progress: Progress, delivery: number): Instant | undefined {
  if (progress.state === "queued") return undefined;
  const next = progress.deliveries.find(({ number }) => number === delivery)?.next ?? "none";
  return next === "none" ? undefined : next.dueAt;
}
