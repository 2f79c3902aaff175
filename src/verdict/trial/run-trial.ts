import type { RequestEvent } from "../../gateway/account/events.ts";
import { answerOf } from "../../gateway/account/readings/answer.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { numbersOf, requestsByOrder, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder, PlacedOrder } from "../application/placed-order.ts";
import type { Finding } from "../checks/finding.ts";
import { findInJournal } from "../checks/findings.ts";
import { ENOUGH_TRIES, mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import { hasNoReasonToWait, isUnsent } from "../orders/unsent.ts";
import type { Before } from "./balances.ts";
import { NoVerdict, type TrialEnvironment, unlessInterrupted } from "./environment.ts";
import type { TimeSheet } from "../time-spent.ts";
import { LoadMonitor, Pace } from "./pace.ts";
import { noteUntold } from "./note-untold.ts";
import { distinctOrders, PLACED_TOO_LATE, Placing } from "./placing.ts";
import { type Answers, LONGEST_WATCH_MILLIS, Questions } from "./questions.ts";
import { Restarts } from "./restarts.ts";
import { type Marks, Steps, type TrialStep } from "./steps.ts";
import { trialJournal, type TrialStart } from "./trial-journal.ts";
import { type QuietOptions, waitUntilQuiet } from "./until-quiet.ts";

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

/** Evidence of a trial whose orders can be asked about once more, until the next trial. */
export interface FirstEvidence extends Evidence {
  /** Leaves the application alone for so long (wall time), and asks it again. */
  readonly later: (wait: Millis) => Promise<Evidence>;
}

/** The time limit (wall time) for the first request. */
const FIRST_REQUEST_MILLIS: Millis = 5 * SECOND;

/** Wall time for a clock that runs by itself to finish what is due. */
const DRAIN_MILLIS: Millis = 30 * SECOND;

interface RunnerOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly before: AccountState;
  /** Adds up where the time goes. */
  readonly time?: TimeSheet;
}

/** A trial after its last step. */
interface PlayedTrial {
  readonly startedAt: Instant;
  readonly since: Instant;
  readonly orders: readonly ApplicationOrder[];
  readonly placed: Placing;
  readonly before: Before;
  readonly monitor: LoadMonitor;
  readonly marks: Marks;
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
  /** Whether orders beside others that were sent were watched for the longest time, and not sent. */
  #hasWatchedUnsent = false;
  readonly #restarts: Restarts;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#restarts = new Restarts(options);
    this.#pace = new Pace(options.application.map.settle);
    this.questions = new Questions(options.application, options.environment);
  }

  /** Wall time before orders are judged as they are. */
  get patience(): Millis {
    return this.#pace.settle(true);
  }

  /** Wall time for which an order that is right is watched. */
  get calm(): Millis {
    return this.#pace.calm;
  }

  /** Restarts the application between trials. Resolves to what went wrong, if anything. */
  restart(): Promise<string | undefined> {
    return this.#restarts.restart(async () => {});
  }

  /** Throws `NoVerdict`, and the reason of an interruption. */
  async run(trial: Trial): Promise<FirstEvidence> {
    const { application, environment } = this.#options;
    const startedAt = environment.clock.now();
    if (trial.isContinued !== true) await this.#untilMoneyHasFollowed();
    const orders = distinctOrders(trial.steps.flatMap((step) => ("place" in step ? step.place : [])));
    const unplaced = orders.map((order) => ({ ...order, reply: PLACED_TOO_LATE }));
    await this.#begin(trial, unplaced, environment.clock.now());
    const before = await this.questions.balances.read(unplaced, trial.isContinued === true ? undefined : this.patience);
    await this.questions.books.begin(unplaced);
    const monitor = new LoadMonitor(environment);
    await monitor.time(application.isListening());
    const placed = new Placing(application, environment.clock);
    const quiet = {
      environment: { ...environment, pause: monitor.pause },
      isManual: trial.clock.mode === "manual",
      placing: () => placed.pending,
      isTold: Object.keys(application.map.callbacks).length > 0,
      tick: () => application.act("tick"),
    };
    const settle = (): Millis => this.#pace.settle(trial.isPatient);
    const restarts = this.#restarts;
    const noteHeld = (order: ApplicationOrder): Promise<void> => this.questions.noteHeld(order, before.balances[0]);
    const steps = new Steps({ ...this.#options, placed, restarts, quiet, settle, noteHeld });
    const placedAt = environment.clock.now();
    for (const step of trial.steps) await unlessInterrupted(steps.carryOut(step), environment);
    const noting = { application, environment, placed, placedAt, calm: this.calm, words: this.questions.words };
    if (trial.untold !== undefined) await unlessInterrupted(noteUntold(trial.untold, noting), environment);
    if (!quiet.isManual) await environment.account.drain(DRAIN_MILLIS);
    const waitedFrom = environment.clock.now();
    const { kept, since } = await waitUntilQuiet({
      ...quiet,
      settle: ({ events }) => this.#settle(events, orders, trial, placed),
      isOver: this.#whenRight(orders, placed, trial.isContinued === true ? 0 : undefined),
    });
    this.#options.time?.add("timers_ms", since - waitedFrom);
    this.#options.time?.add("quiet_ms", environment.clock.now() - since);
    this.#pace.noteRequests(kept.events, orders.length, quiet.isTold);
    const played = { startedAt, since, orders, placed, before, monitor, marks: steps.marks };
    const evidence = await this.#look(kept, settle(), played);
    this.#noteEnd(evidence, trial.isContinued === true);
    const later = async (wait: Millis): Promise<Evidence> =>
      this.#look(await this.#leaveAlone(wait, kept, quiet), this.patience, played);
    return { ...evidence, later };
  }

  /** Asks the application what it says of the orders of a trial now. */
  async #look(kept: JournalSlice, usual: Millis, played: PlayedTrial): Promise<Evidence> {
    const { startedAt, orders, placed, monitor, marks } = played;
    const { clock, report } = this.#options.environment;
    const requests = requestsByOrder(kept.events, placed.ordered(orders), this.#earlier);
    const patience = { usual, full: this.patience };
    const answers = await this.questions.ask(orders, { ...played, kept, requests, patience });
    return {
      kept,
      ...answers,
      findings: findInJournal(kept, { report }),
      isTooBusy: monitor.isTooBusy,
      loadMillis: monitor.loadMillis,
      durationMillis: clock.now() - startedAt,
      ...marks,
    };
  }

  async #untilMoneyHasFollowed(): Promise<void> {
    const { application, environment } = this.#options;
    const { clock, pause, interruption } = environment;
    if (application.map.balance === undefined) return;
    const allowed = { usual: this.#pace.calm, full: this.patience, isReset: application.map.reset !== undefined };
    await pause(this.questions.moneyPace.rest(clock.now(), allowed), interruption);
  }

  #noteEnd({ durationMillis, orders }: Evidence, isContinued: boolean): void {
    for (const number of orders.flatMap(({ placed }) => numbersOf(placed))) this.#earlier.add(number);
    const hasWatched = !isContinued && durationMillis >= LONGEST_WATCH_MILLIS;
    this.#hasWatchedUnsent ||= hasWatched && orders.some(isUnsent);
  }

  /** Leaves the application alone for so long. What it does meanwhile gets its full time, too. */
  async #leaveAlone(wait: Millis, seen: JournalSlice, quiet: Omit<QuietOptions, "settle" | "isOver">) {
    const { clock } = this.#options.environment;
    let [until, exchanges] = [clock.now() + wait, countExchanges(seen)];
    const isOver = async (now: JournalSlice): Promise<boolean> => {
      if (countExchanges(now) !== exchanges) until = Math.max(until, clock.now() + this.patience);
      exchanges = countExchanges(now);
      return clock.now() >= until;
    };
    const { kept } = await waitUntilQuiet({ ...quiet, settle: () => Math.max(wait, this.patience), isOver });
    return kept;
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
    // An application that tries again is watched until it has stopped.
    const isRetried = refused.some((some) => some.length < ENOUGH_TRIES && mayRetry(some, events, now));
    // An application may pause after what was before, or between orders, and then send what it has taken.
    const isHeldBack = (order: ApplicationOrder): boolean =>
      requests.get(order.reference)?.length === 0 && placed.hasTaken(order);
    const mayHoldBack = isPatient && this.#options.application.map.settle === undefined && orders.some(isHeldBack);
    const isInTurn = !this.#hasWatchedUnsent && hasNoReasonToWait(events);
    const isWatched = isRetried || (mayHoldBack && (isContinued === true || isInTurn));
    return isWatched ? Math.max(settle, LONGEST_WATCH_MILLIS) : settle;
  }

  async #begin(trial: Trial, orders: readonly PlacedOrder[], now: Instant): Promise<void> {
    const { application, environment, before } = this.#options;
    const problem = trial.isContinued === true ? undefined : await application.act("reset");
    if (problem !== undefined) throw new NoVerdict(`reset in the app map failed: ${problem}`);
    const { callbackUrls: callbacks } = application;
    const isHeld = trial.steps.some((step) => "held" in step);
    const scenarios = [...(isHeld ? [await this.questions.holdAnswer(orders)] : []), ...trial.scenarios];
    await environment.account.begin(trialJournal(before, { ...trial, scenarios, callbacks, now }));
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
      // What an application shows as failed without having sent it, it may still send.
      const isSent = orders.every(({ reference }) => (requests.get(reference) ?? []).length > 0);
      return clock.now() - rightSince >= Math.max(calm ?? this.#pace.calm, isSent ? 0 : this.patience);
    };
  }

  async #isRight(order: PlacedOrder | undefined, truth: OrderTruth): Promise<boolean> {
    const { asked, delivered, reversed, isNotified } = truth;
    if (order === undefined || (asked > 0 && !isNotified)) return false;
    const { claim } = await this.#options.application.status(order);
    return claim === (delivered.length > 0 ? "paid" : "failed") || (claim === "paid" && reversed > 0);
  }
}

/** Counts what moves an order, and not what an application asks at its own times. */
function countExchanges({ events }: JournalSlice): number {
  return events.filter(({ kind }) => kind === "accepted" || kind === "attempted").length;
}
