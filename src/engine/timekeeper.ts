import { CARRIERS } from "../domain/carrier.ts";
import { wallTimeUntil } from "../account/clock.ts";
import { decideSenderId } from "../account/decide/sender-id.ts";
import { takeStep } from "../account/decide/scenarios.ts";
import { settleTransaction } from "../account/decide/settle.ts";
import { isBeginning } from "../account/event-guards.ts";
import type { Attempted, ScenariosChanged, TimelineStepped } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { AccountState } from "../account/state.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { Timer, WallClock } from "../ports/wall-clock.ts";
import { Agenda, backlog, type Due, dueOf, everythingDue, stepsOf, type Task } from "./agenda.ts";
import type { Courier, DeliveryId } from "./courier.ts";
import type { LiveJournal } from "./live-journal.ts";

interface Time {
  readonly wall: WallClock;
  /** Told of what went wrong while nobody waited for it. */
  readonly report: (fault: unknown) => void;
}

/** How long it is left alone when the store did not take what happened. */
const REST: Millis = SECOND;

/** What happens in one turn of the event loop: 10,000 callbacks due at once would otherwise hold up every request for as long as they take. */
const AT_ONCE = 256;

/** Callbacks that a manual clock sends at the same time, when they are due at the same moment: a receiver's races must be able to happen. */
const SIDE_BY_SIDE = 8;

/**
 * Lets happen what is due on an account's clock. On a real or scaled clock a wall timer does it; on a manual one nothing
 * happens by itself, and `perform` is called by whoever moves the clock.
 */
export class Timekeeper {
  readonly #journal: LiveJournal;
  readonly #courier: Courier;
  readonly #wall: WallClock;
  readonly #report: (fault: unknown) => void;
  readonly #agenda = new Agenda();
  #timer: { readonly at: Instant; readonly timer: Timer } | undefined;
  /** Wall time before which nothing is tried again. */
  #restsUntil: Instant = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Something due happens; the timer for what is left is set once, when that is over. */
  #isPumping = false;

  constructor(journal: LiveJournal, courier: Courier, time: Time) {
    this.#journal = journal;
    this.#courier = courier;
    this.#wall = time.wall;
    this.#report = time.report;
  }

  /** Notes what an event has coming. */
  note(event: AccountEvent, state: AccountState): void {
    if (isBeginning(event)) this.#stop();
    this.#agenda.plan(comingFrom(event, state));
    if (event.kind === "clock-changed") this.#disarm();
    this.#arm();
  }

  /** Notes everything that the state has coming, as an earlier process left it. */
  resume(): void {
    this.#agenda.plan(everythingDue(this.#journal.state));
    this.#arm();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Nothing happens any more. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** The next thing due. */
  next(): Due | undefined {
    return this.#agenda.next(this.#journal.state);
  }

  /** All that the state has coming, soonest first: callbacks that are under way or wait for a place have left the agenda. */
  list(): Due[] {
    return this.#isClosed ? [] : everythingDue(this.#journal.state).sort((one, other) => one.at - other.at);
  }

  /** Performs the next task, or the callbacks due at the same moment side by side; resolves when that is over. */
  async performNext(): Promise<void> {
    const due = this.next();
    if (due === undefined) return;
    if (due.task.kind === "attempt") return await this.#deliverTogether(this.#takeCallbacks(due.at));
    this.#agenda.take();
    this.#decideOrPlanAgain(due, due.task);
  }

  /** Begins the callbacks of one transaction that are due by now, whatever the clock's mode. */
  hasten(requestId: string): void {
    const { state } = this.#journal;
    const transaction = state.transactions.get(requestId);
    if (transaction === undefined) return;
    const now = this.#journal.now();
    for (const { at, task } of dueOf(transaction)) if (task.kind === "attempt" && at <= now) void this.#deliver(task);
  }

  /** Plans a callback again that the store did not let begin, or whose outcome it did not take. */
  postpone(id: DeliveryId): void {
    this.#wall.after(REST, () => {
      if (this.#isClosed) return;
      this.#agenda.plan(dueOfDelivery(id, this.#journal.state));
      this.#arm();
    });
  }

  #takeCallbacks(at: Instant): DeliveryId[] {
    const taken: DeliveryId[] = [];
    for (let due = this.next(); due?.at === at && due.task.kind === "attempt" && taken.length < SIDE_BY_SIDE; due = this.next()) {
      this.#agenda.take();
      taken.push(due.task);
    }
    return taken;
  }

  /** They are recorded in the order in which they were due, so that the same seed gives the same journal. */
  async #deliverTogether(ids: readonly DeliveryId[]): Promise<void> {
    const awaited: Promise<void>[] = [];
    for (const id of ids) {
      const isWaitingForAck = this.#courier.isHeld(id.requestId);
      const delivered = this.#deliver(id, isWaitingForAck ? undefined : awaited.at(-1));
      if (!isWaitingForAck) awaited.push(delivered);
    }
    await Promise.all(awaited);
  }

  #deliver(id: DeliveryId, recordAfter?: Promise<void>): Promise<void> {
    return this.#courier.deliver(id, () => this.#journal.state, recordAfter);
  }

  #decide(task: Exclude<Task, { kind: "attempt" }>): void {
    this.#journal.run((state, at) => ({ events: eventsOf(task, state, at), answer: undefined }));
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

  /** What is due by now, in order, the rest in the next turn; each callback is begun, none is waited for. Returns what failed. */
  #performDue(): Due[] {
    const now = this.#journal.now();
    const failed: Due[] = [];
    let left = AT_ONCE;
    for (let due = this.next(); due !== undefined && due.at <= now && left > 0; due = this.next()) {
      left -= 1;
      this.#agenda.take();
      try {
        if (due.task.kind === "attempt") void this.#deliver(due.task);
        else this.#decide(due.task);
      } catch (fault) {
        failed.push(due);
        this.#report(fault);
        this.#restsUntil = this.#wall.now() + REST;
      }
    }
    return failed;
  }

  #arm(): void {
    if (this.#isClosed || this.#isPumping) return;
    const due = this.next();
    if (due === undefined || (this.#timer !== undefined && this.#timer.at <= due.at)) return;
    const wait = wallTimeUntil(this.#journal.state.clock, due.at, this.#wall.now());
    if (wait === "never") return;
    this.#disarm();
    this.#timer = { at: due.at, timer: this.#wall.after(Math.max(wait, this.#restsUntil - this.#wall.now()), () => this.#pump()) };
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

function eventsOf(task: Exclude<Task, { kind: "attempt" }>, state: AccountState, at: Instant): AccountEvent[] {
  if (task.kind === "step") return takeStep(state, task, at);
  const event =
    task.kind === "settle"
      ? settleTransaction(state, task.requestId, { at })
      : decideSenderId(state, { id: task.id, at, verdict: "approved" });
  return event === undefined ? [] : [event];
}

function comingFrom(event: AccountEvent, state: AccountState): Due[] {
  switch (event.kind) {
    case "snapshot":
      return everythingDue(state);
    case "accepted":
    case "settled":
      return dueOfRequest(event.requestId, state);
    case "attempted":
      return [...dueOfDelivery(event, state), ...released(event, state)];
    case "resend-requested":
      return dueOfRequest(event.requestId, state).slice(-1);
    case "sender-id-submitted":
      return [{ at: event.decidesAt, task: { kind: "decide-sender-id", id: event.id } }];
    case "scenarios-changed":
      return [...scheduledAnew(event, state), ...backlog(state)];
    case "timeline-stepped":
      return comingFromStep(event, state);
    default:
      return [];
  }
}

function scheduledAnew({ begun, swapped = [] }: ScenariosChanged, { scenarios, stepped }: AccountState): Due[] {
  const changed = scenarios.filter(({ scenario: { name } }) => begun.includes(name) || swapped.includes(name));
  return changed.flatMap((active) => stepsOf(active, stepped));
}

function dueOfDelivery({ requestId, delivery }: DeliveryId, state: AccountState): Due[] {
  return dueOfRequest(requestId, state).filter(({ task }) => task.kind === "attempt" && task.delivery === delivery);
}

/** Callbacks that have let enough others pass with this one. */
function released({ at }: Attempted, state: AccountState): Due[] {
  return [...state.lettingPass].flatMap((requestId) => dueOfRequest(requestId, state)).filter((due) => due.at === at);
}

function comingFromStep({ scenario, step }: TimelineStepped, state: AccountState): Due[] {
  const active = state.scenarios.find(({ scenario: { name } }) => name === scenario);
  if (active === undefined) return [];
  const action = active.scenario.timeline[step]?.do;
  const carriers = CARRIERS.filter((carrier) => action?.carrier?.[carrier] === "up");
  const again = stepsOf(active, state.stepped).filter(({ task }) => task.kind === "step" && task.step === step);
  return [...carriers.flatMap((carrier) => backlog(state, carrier)), ...again];
}

function dueOfRequest(requestId: string, state: AccountState): Due[] {
  const transaction = state.transactions.get(requestId);
  return transaction === undefined ? [] : dueOf(transaction);
}
