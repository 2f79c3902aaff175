import { wallTimeUntil } from "../account/account-time.ts";
import { decideSenderId } from "../account/decide/sender-id.ts";
import { takeStep } from "../account/decide/scenarios.ts";
import { reverseTransaction, settleTransaction } from "../account/decide/settle.ts";
import { isBeginning } from "../account/event-guards.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { AccountState } from "../account/state.ts";
import { callbacksAllowedAhead } from "../account/transaction.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { Timer, WallClock } from "../ports/wall-clock.ts";
import {
  Agenda,
  dueFromEvent,
  type Due,
  dueOf,
  dueOfDelivery,
  allDue,
  allPending,
  type PendingWork,
  type Task,
} from "./agenda.ts";
import type { Courier, DeliveryId } from "./courier.ts";
import type { Decide, LiveJournal } from "./live-journal.ts";

/** How long to wait after the store could not record an event. */
const RETRY_MILLIS: Millis = SECOND;

/** A slice of the due work: as much as one turn of the event loop may do, so that requests and leases do not wait for the rest. */
const MAX_TASKS_IN_SLICE = 256;
const SLICE_MILLIS: Millis = 10;

interface Slice {
  /** Wall time. */
  readonly end: Instant;
  /** How many more tasks it may have. */
  left: number;
}

/** The most callbacks due at the same moment that a manual clock sends in parallel, so that race conditions in receivers can occur. */
const MAX_PARALLEL = 8;

/**
 * Triggers the due work of an account. On a real or scaled clock, a wall timer does that. On a manual clock, nothing happens by itself:
 * whoever moves the clock calls `performSlice`.
 */
export class Timekeeper {
  readonly #journal: LiveJournal;
  readonly #courier: Courier;
  readonly #wall: WallClock;
  readonly #report: (fault: unknown) => void;
  readonly #agenda = new Agenda();
  #timer: { readonly at: Instant; readonly timer: Timer } | undefined;
  /** The wall time before which nothing is retried. */
  #retriesAfter: Instant = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Set while due work is performed. Afterwards, the timer is set once for the rest. */
  #isPumping = false;

  /** `report` is called with errors that no caller is waiting for. */
  constructor(journal: LiveJournal, courier: Courier, wall: WallClock, report: (fault: unknown) => void) {
    this.#journal = journal;
    this.#courier = courier;
    this.#wall = wall;
    this.#report = report;
  }

  /** Plans the work that follows from an event. */
  note(event: AccountEvent, state: AccountState): void {
    if (isBeginning(event)) this.#stop();
    this.#agenda.plan(dueFromEvent(event, state));
    if (event.kind === "clock-changed") this.#disarm();
    this.#arm();
  }

  /** Plans all pending work of a state left by an earlier process. */
  resume(): void {
    this.#agenda.plan(allDue(this.#journal.state));
    this.#arm();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Stops all future work. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** Goes on after `close`. */
  reopen(): void {
    this.#isClosed = false;
    this.resume();
  }

  /** Returns the next due work. */
  next(): Due | undefined {
    return this.#agenda.next(this.#journal.state);
  }

  /** Returns whether anything is due by a moment. */
  hasDue(by: Instant): boolean {
    const due = this.next();
    return due !== undefined && due.at <= by;
  }

  /**
   * Returns all pending work by turn. Read from the state, because callbacks that are in flight or waiting for a slot are no longer
   * on the agenda.
   */
  list(): PendingWork[] {
    return this.#isClosed ? [] : allPending(this.#journal.state, this.#journal.now());
  }

  /**
   * Moves a manual clock through one slice of what is due by a moment. Callbacks due at the same moment end it: they are sent in parallel,
   * and it resolves when they are delivered.
   */
  async performSlice(by: Instant): Promise<void> {
    const slice = this.#newSlice();
    for (let due = this.#take(by, slice); due !== undefined; due = this.#take(by, slice)) {
      this.#journal.moveTo(due.at);
      if (due.task.kind === "attempt") {
        const most = Math.min(MAX_PARALLEL, this.#mostTogether());
        const together = [due.task, ...this.#takeCallbacks(due.at, most - 1)];
        return await this.#sendTogether(together);
      }
      this.#decideOrPlanAgain(due, due.task);
    }
  }

  /**
   * Performs what is already due of one transaction, its callbacks above all, whatever the clock's mode. `isAwaited` says whether its
   * acknowledgment waits for that.
   */
  sendDue(requestId: string, isAwaited = false): void {
    const { state } = this.#journal;
    const transaction = state.transactions.get(requestId);
    if (transaction === undefined) return;
    const now = this.#journal.now();
    for (const { at, task } of dueOf(transaction)) {
      if (at > now) continue;
      if (task.kind === "attempt") void this.#deliver(task, isAwaited);
      else this.#decide(task);
    }
  }

  #newSlice(): Slice {
    return { end: this.#wall.now() + SLICE_MILLIS, left: MAX_TASKS_IN_SLICE };
  }

  /** Takes the next of what is due by a moment off the agenda; undefined at the end of the slice. */
  #take(by: Instant, slice: Slice): Due | undefined {
    const due = slice.left > 0 && this.#wall.now() < slice.end ? this.next() : undefined;
    if (due === undefined || due.at > by) return undefined;
    this.#agenda.take();
    slice.left -= 1;
    return due;
  }

  #takeCallbacks(at: Instant, most: number): DeliveryId[] {
    const taken: DeliveryId[] = [];
    for (
      let due = this.next();
      due?.at === at && due.task.kind === "attempt" && taken.length < most;
      due = this.next()
    ) {
      this.#agenda.take();
      taken.push(due.task);
    }
    return taken;
  }

  /** Delivers callbacks in parallel. Does not wait for those that wait for their acknowledgments. */
  async #sendTogether(ids: readonly DeliveryId[]): Promise<void> {
    const awaited = ids.flatMap((id) => {
      const isWaitingForAck = this.#courier.isHeld(id.requestId);
      const delivered = this.#deliver(id);
      return isWaitingForAck ? [] : [delivered];
    });
    await Promise.all(awaited);
  }

  /** Delivers a callback, and plans it again if the store could not record its start or outcome. */
  async #deliver(id: DeliveryId, isAwaited = false): Promise<void> {
    const unrecorded = await this.#courier.deliver(id, isAwaited);
    if (unrecorded === undefined) return;
    this.#wall.after(RETRY_MILLIS, () => this.#planAgain([unrecorded]));
  }

  #decide(task: Exclude<Task, { kind: "attempt" }>): void {
    this.#journal.append((state, at) => eventsOf(task, state, at));
  }

  #decideOrPlanAgain(due: Due, task: Exclude<Task, { kind: "attempt" }>): void {
    try {
      this.#decide(task);
    } catch (fault) {
      this.#agenda.plan([due]);
      throw fault;
    }
  }

  #pump(): void {
    this.#timer = undefined;
    this.#isPumping = true;
    this.#agenda.plan(this.#performDue());
    this.#isPumping = false;
    this.#arm();
  }

  /** Performs one slice of the due work; the timer comes back for the rest. Callbacks are not awaited. Returns the tasks that failed. */
  #performDue(): Due[] {
    const failed: Due[] = [];
    const inTurn: DeliveryId[] = [];
    const [now, slice] = [this.#journal.now(), this.#newSlice()];
    for (let due = this.#take(now, slice); due !== undefined; due = this.#take(now, slice)) {
      try {
        if (due.task.kind !== "attempt") this.#decide(due.task);
        else if (this.#journal.state.reordered.size === 0) void this.#deliver(due.task);
        else inTurn.push(due.task);
      } catch (fault) {
        failed.push(due);
        this.#report(fault);
        this.#retriesAfter = this.#wall.now() + RETRY_MILLIS;
      }
    }
    if (inTurn.length > 0) this.#sendInTurn(inTurn);
    return failed;
  }

  /** Sends as many callbacks as those that wait for later ones let pass, and plans the others again once these are delivered. */
  #sendInTurn(ids: readonly DeliveryId[]): void {
    const most = this.#mostTogether();
    void this.#sendTogether(ids.slice(0, most)).then(() => this.#planAgain(ids.slice(most)));
  }

  /** Returns how many callbacks may be sent in parallel without more going first than those that wait for later ones let pass. */
  #mostTogether(): number {
    const { reordered, transactions } = this.#journal.state;
    let most = Infinity;
    for (const requestId of reordered) most = Math.min(most, callbacksAllowedAhead(transactions.get(requestId)));
    return most;
  }

  #planAgain(ids: readonly DeliveryId[]): void {
    this.#agenda.plan(ids.flatMap((id) => dueOfDelivery(id, this.#journal.state)));
    this.#arm();
  }

  #arm(): void {
    if (this.#isClosed || this.#isPumping) return;
    const due = this.next();
    if (due === undefined || (this.#timer !== undefined && this.#timer.at <= due.at)) return;
    const wait = wallTimeUntil(this.#journal.state.clock, due.at, this.#wall.now());
    if (wait === "never") return;
    this.#disarm();
    this.#timer = {
      at: due.at,
      timer: this.#wall.after(Math.max(wait, this.#retriesAfter - this.#wall.now()), () => this.#pump()),
    };
  }

  #stop(): void {
    this.#agenda.clear();
    this.#disarm();
  }

  #disarm(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }
}

function eventsOf(task: Exclude<Task, { kind: "attempt" }>, state: AccountState, at: Instant): ReturnType<Decide> {
  if (task.kind === "step") return takeStep(state, task, at);
  if (task.kind === "settle") return [settleTransaction(state, task.requestId, at)];
  if (task.kind === "reverse") return [reverseTransaction(state, task.requestId, at)];
  return [decideSenderId(state, { id: task.id, at, verdict: "approved" })];
}
