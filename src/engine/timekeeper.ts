import { wallTimeUntil } from "../account/clock.ts";
import { decideSenderId } from "../account/decide/sender-id.ts";
import { settleTransaction } from "../account/decide/settle.ts";
import { type AccountEvent, isBeginning } from "../account/events.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { Timer, WallClock } from "../ports/wall-clock.ts";
import type { AccountClock } from "./account-clock.ts";
import { Agenda, type Due, dueOf, everythingDue, type Task } from "./agenda.ts";
import type { Courier } from "./courier.ts";
import type { LiveJournal } from "./live-journal.ts";

/**
 * Lets happen what is due on an account's clock. On a real or scaled clock a wall timer does it; on a manual one nothing
 * happens by itself, and `perform` is called by whoever moves the clock.
 */
export class Timekeeper {
  readonly #journal: LiveJournal;
  readonly #courier: Courier;
  readonly #clock: AccountClock;
  readonly #wall: WallClock;
  readonly #agenda = new Agenda();
  #timer: { readonly at: Instant; readonly timer: Timer } | undefined;

  constructor(journal: LiveJournal, courier: Courier, time: { clock: AccountClock; wall: WallClock }) {
    this.#journal = journal;
    this.#courier = courier;
    this.#clock = time.clock;
    this.#wall = time.wall;
  }

  /** Notes what an event has coming. */
  note(event: AccountEvent, state: AccountState): void {
    if (isBeginning(event)) this.stop();
    this.#agenda.plan(comingFrom(event, state));
    if (event.kind === "clock-changed") this.#disarm();
    this.#arm();
  }

  stop(): void {
    this.#agenda.clear();
    this.#disarm();
  }

  /** The next thing due. */
  next(): Due | undefined {
    return this.#agenda.next(this.#journal.state);
  }

  /** All that is due, soonest first. */
  list(): Due[] {
    return this.#agenda.list(this.#journal.state);
  }

  /** Takes the next thing from the agenda and lets it happen; resolves when it is over. */
  async performNext(): Promise<void> {
    const due = this.next();
    if (due === undefined) return;
    this.#agenda.take();
    const isWaitingForAck = due.task.kind === "attempt" && this.#courier.isHeld(due.task.requestId);
    const performed = this.#perform(due.task);
    if (!isWaitingForAck) await performed;
  }

  /** Begins the callbacks of one transaction that are due by now, whatever the clock's mode. */
  hasten(requestId: string): void {
    const { state } = this.#journal;
    const transaction = state.transactions.get(requestId);
    if (transaction === undefined) return;
    const now = this.#now();
    for (const { at, task } of dueOf(transaction)) if (task.kind === "attempt" && at <= now) void this.#perform(task);
  }

  async #perform(task: Task): Promise<void> {
    if (task.kind === "attempt") return this.#courier.deliver(task, () => this.#journal.state);
    await this.#journal.run((state, at) => {
      const event =
        task.kind === "settle"
          ? settleTransaction(state, task.requestId, { at })
          : decideSenderId(state, { id: task.id, at, verdict: "approved" });
      return { events: event === undefined ? [] : [event], answer: undefined };
    });
  }

  /** Everything that is due by now, in order; each callback is begun, none is waited for. */
  #pump(): void {
    this.#timer = undefined;
    const now = this.#now();
    for (let due = this.next(); due !== undefined && due.at <= now; due = this.next()) {
      this.#agenda.take();
      void this.#perform(due.task);
    }
    this.#arm();
  }

  #arm(): void {
    const due = this.next();
    if (due === undefined || (this.#timer !== undefined && this.#timer.at <= due.at)) return;
    const wait = wallTimeUntil(this.#journal.state.clock, due.at, this.#wall.now());
    if (wait === "never") return;
    this.#disarm();
    this.#timer = { at: due.at, timer: this.#wall.after(wait, () => this.#pump()) };
  }

  #disarm(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #now(): Instant {
    return this.#clock.now(this.#journal.state);
  }
}

function comingFrom(event: AccountEvent, state: AccountState): Due[] {
  switch (event.kind) {
    case "snapshot":
      return everythingDue(state);
    case "accepted":
    case "settled":
    case "attempted":
    case "resend-requested": {
      const transaction = state.transactions.get(event.requestId);
      return transaction === undefined ? [] : dueOf(transaction);
    }
    case "sender-id-submitted":
      return [{ at: event.decidesAt, task: { kind: "decide-sender-id", id: event.id } }];
    default:
      return [];
  }
}
