import type { RequestEvent } from "../../gateway/account/events.ts";
import { answerOf } from "../../gateway/account/readings/answer.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { numbersOf, requestsByOrder, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder, PlacedOrder } from "../application/placed-order.ts";
import type { AskedValue } from "../application/ask.ts";
import type { Finding } from "../checks/finding.ts";
import { findInJournal } from "../checks/findings.ts";
import { MAX_RETRIES } from "../checks/refused-requests.ts";
import { mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import { NoVerdict, type TrialEnvironment, unlessInterrupted } from "./environment.ts";
import type { TimeSheet } from "../time-spent.ts";
import { LoadMonitor, Pace } from "./pace.ts";
import { noteUntold } from "./note-untold.ts";
import { distinctOrders, PLACED_TOO_LATE, Placing } from "./placing.ts";
import { type Answers, Questions } from "./questions.ts";
import { type Marks, Steps, type TrialStep } from "./steps.ts";
import { trialJournal, type TrialStart } from "./trial-journal.ts";
import { waitUntilQuiet } from "./until-quiet.ts";

/** Orders placed in the application while scenarios play, on a fresh account. */
export interface Trial extends Omit<TrialStart, "callbacks" | "now"> {
  readonly steps: readonly TrialStep[];
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient: boolean;
  /** The plain order of which to note what the application shows before its callback. */
  readonly untold?: ApplicationOrder;
  /** Whether the application goes on as the trial before has left it, without a reset. */
  readonly isContinued?: boolean;
}

/** What a trial leaves. */
export interface Evidence extends Answers, Marks {
  readonly kept: JournalSlice;
  readonly findings: readonly Finding[];
  /** Whether the machine was too busy for a verdict that depends on time. */
  readonly isTooBusy: boolean;
  /** How slow the machine was: the time of a bare request, and by how much Kredo's own pauses were late. */
  readonly loadMillis: Millis;
  readonly durationMillis: Millis;
}

/** The time limit (wall time) for the first request. */
const FIRST_REQUEST_MILLIS: Millis = 5 * SECOND;

/** The longest time (wall time) for which the tries of a refused order are watched, or an order's first after something went wrong. */
const LONGEST_WATCH_MILLIS: Millis = MINUTE;

/** Wall time for a clock that runs by itself to finish what is due. */
const DRAIN_MILLIS: Millis = 30 * SECOND;

interface RunnerOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly before: AccountState;
  /** Adds up where the time goes. */
  readonly time?: TimeSheet;
}

/** Returns whether a client reads a definite refusal. */
function isRefusal(event: RequestEvent): boolean {
  return answerOf(event).says === "refused";
}

export class TrialRunner {
  readonly #options: RunnerOptions;
  readonly #pace: Pace;
  /** What it asks the application, and what plain orders have shown. */
  readonly questions: Questions;
  readonly #earlier = new Set<string>();
  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#pace = new Pace(options.application.map.settle);
    this.questions = new Questions(options.application, options.environment);
  }

  /** Wall time before orders are judged as they are. */
  get patience(): Millis {
    return this.#pace.settle(true);
  }

  /** Throws `NoVerdict`, and the reason of an interruption. */
  async run(trial: Trial): Promise<Evidence> {
    const { application, environment } = this.#options;
    const startedAt = environment.clock.now();
    await this.#begin(trial, startedAt);
    const orders = distinctOrders(trial.steps.flatMap((step) => ("place" in step ? step.place : [])));
    const unplaced = orders.map((order) => ({ ...order, reply: PLACED_TOO_LATE }));
    const before = await this.questions.balances.read(unplaced, trial.isContinued === true ? undefined : this.patience);
    await this.questions.books.begin(unplaced);
    const monitor = new LoadMonitor(environment);
    await monitor.time(application.isListening());
    const placed = new Placing(application, environment.clock);
    const quiet = {
      environment: { ...environment, pause: monitor.pause },
      isPlacing: () => placed.isPlacing,
      isTold: Object.keys(application.map.callbacks).length > 0,
      tick: () => application.act("tick"),
    };
    const settle = (): Millis => this.#pace.settle(trial.isPatient);
    const steps = new Steps({ ...this.#options, placed, quiet, settle, noteHeld: this.#noteHeld(before.balances[0]) });
    const placedAt = environment.clock.now();
    for (const step of trial.steps) await unlessInterrupted(steps.carryOut(step), environment);
    if (trial.untold !== undefined) {
      const { words } = this.questions;
      await unlessInterrupted(
        noteUntold(trial.untold, { application, environment, placed, placedAt, words }),
        environment,
      );
    }
    if (trial.clock.mode !== "manual") await environment.account.drain(DRAIN_MILLIS);
    const waitedFrom = environment.clock.now();
    const { kept, since } = await waitUntilQuiet({
      ...quiet,
      isManual: trial.clock.mode === "manual",
      settle: ({ events }) => this.#settle(events, orders, trial, placed),
      isOver: this.#whenRight(orders, placed, trial.isContinued === true ? 0 : undefined),
    });
    this.#options.time?.add("timers_ms", since - waitedFrom);
    this.#options.time?.add("quiet_ms", environment.clock.now() - since);
    this.#pace.noteRequests(kept.events, orders.length, quiet.isTold);
    const requests = requestsByOrder(kept.events, placed.ordered(orders), this.#earlier);
    const asked = await this.questions.ask(orders, { kept, requests, placed, before, patience: settle() });
    for (const number of orders.flatMap(numbersOf)) this.#earlier.add(number);
    return {
      kept,
      ...asked,
      findings: findInJournal(kept, { report: environment.report }),
      isTooBusy: monitor.isTooBusy,
      loadMillis: monitor.loadMillis,
      durationMillis: environment.clock.now() - startedAt,
      ...steps.marks,
    };
  }

  /** Returns how long nothing may happen before orders are judged as they are. */
  #settle(
    events: readonly AccountEvent[],
    orders: readonly ApplicationOrder[],
    { isPatient, isContinued }: Trial,
    placed: Placing,
  ): Millis {
    const settle = Math.max(
      this.#pace.settle(isPatient),
      requestsOfBackend(events).length > 0 ? 0 : FIRST_REQUEST_MILLIS,
    );
    const requests = requestsByOrder(events, placed.ordered(orders), this.#earlier);
    const own = isPatient ? [...requests.values()] : [];
    const refused = own.filter((some) => some.length > 0 && some.every(isRefusal));
    const now = this.#options.environment.clock.now();
    // An application that tries again is watched until it has stopped, or has shown that it never does.
    const isRetried = refused.some((some) => some.length <= MAX_RETRIES + 1 && mayRetry(some, events, now));
    // After what was before, an application may pause, and then send what it has taken.
    const isHeldBack = (order: ApplicationOrder): boolean =>
      requests.get(order.reference)?.length === 0 && placed.hasTaken(order);
    const mayHoldBack = isContinued === true && isPatient && this.#options.application.map.settle === undefined;
    const isWatched = isRetried || (mayHoldBack && orders.some(isHeldBack));
    return isWatched ? Math.max(settle, LONGEST_WATCH_MILLIS) : settle;
  }

  async #begin(trial: Trial, now: Instant): Promise<void> {
    const { application, environment, before } = this.#options;
    const problem = trial.isContinued === true ? undefined : await application.act("reset");
    if (problem !== undefined) throw new NoVerdict(`reset in the app map failed: ${problem}`);
    const { callbackUrls: callbacks } = application;
    await environment.account.begin(trialJournal(before, { ...trial, callbacks, now }));
  }

  #noteHeld(before: AskedValue<Kes> | undefined): (order: ApplicationOrder) => Promise<void> {
    return (order) => this.questions.noteHeld(order, before);
  }

  /** Returns a function that tells whether every order has had the right outcome for long enough. */
  #whenRight(
    orders: readonly ApplicationOrder[],
    placed: Placing,
    calm?: Millis,
  ): (kept: JournalSlice) => Promise<boolean> {
    const { application, environment } = this.#options;
    const { clock } = environment;
    let last = { events: 0, at: clock.now() };
    let rightSince: Instant | undefined;
    return async ({ events }) => {
      if (events.length !== last.events) [last, rightSince] = [{ events: events.length, at: clock.now() }, undefined];
      if (!application.hasStatusOf(orders)) return false;
      const requests = requestsByOrder(events, placed.ordered(orders), this.#earlier);
      for (const order of orders) {
        const truth = readOrderTruth(events, requests.get(order.reference));
        if (!(await this.#isRight(placed.find(order), truth))) return false;
      }
      if (rightSince === undefined) {
        rightSince = clock.now();
        this.#pace.noteRight(rightSince - last.at);
      }
      return clock.now() - rightSince >= (calm ?? this.#pace.calm);
    };
  }

  async #isRight(order: PlacedOrder | undefined, { delivered, reversed, isNotified }: OrderTruth): Promise<boolean> {
    if (order === undefined || !isNotified) return false;
    const { claim } = await this.#options.application.status(order);
    return claim === (delivered.length > 0 ? "paid" : "failed") || (claim === "paid" && reversed > 0);
  }
}
