import type { RequestEvent } from "../../gateway/account/events.ts";
import { answerOf } from "../../gateway/account/readings/answer.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import {
  numbersOf,
  requestsByOrder,
  requestsNaming,
  requestsOfBackend,
} from "../../gateway/account/readings/requests-of-orders.ts";
import { foldJournal } from "../../gateway/account/apply.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import type { ShownValue } from "../application/ask.ts";
import type { Finding } from "../checks/finding.ts";
import { findInJournal } from "../checks/findings.ts";
import { MAX_RETRIES } from "../checks/refused-requests.ts";
import { mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import { NoVerdict, type TrialEnvironment, unlessInterrupted } from "./environment.ts";
import type { TimePart, TimeSheet } from "../time-spent.ts";
import { LoadMonitor, Pace } from "./pace.ts";
import { distinctOrders, PLACED_TOO_LATE, Placing } from "./placing.ts";
import { type Answers, Questions } from "./questions.ts";
import { sendStrangersCallback, type SentByStranger } from "./strangers-callback.ts";
import { trialJournal, type TrialStart } from "./trial-journal.ts";
import { listensWithin, waitUntilQuiet } from "./until-quiet.ts";

/** Orders placed in the application while scenarios play, on a fresh account. */
export interface Trial extends Omit<TrialStart, "callbacks" | "now"> {
  readonly steps: readonly TrialStep[];
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient: boolean;
  /** Whether the application goes on as the trial before has left it, without a reset. */
  readonly isContinued?: boolean;
}

export type TrialStep =
  | { readonly place: readonly ApplicationOrder[]; readonly isAtOnce: boolean }
  /** Waits until each order so far has reached the gateway, or was refused by the application. */
  | { readonly requested: true }
  /** Waits until the application has answered each order so far. */
  | { readonly answered: true }
  | { readonly advance: Millis }
  | { readonly topUp: Kes }
  | { readonly wait: Millis }
  /** Waits until orders are answered and nothing happens any more. A manual clock stands still. */
  | { readonly quiet: true }
  | { readonly restart: true }
  /** Sends a callback for an order that the gateway did not send. */
  | { readonly stranger: ApplicationOrder }
  /** While the gateway holds its answer: whether the order is paid already. */
  | { readonly held: ApplicationOrder };

/** What a trial leaves. */
export interface Evidence extends Answers {
  readonly kept: JournalSlice;
  readonly findings: readonly Finding[];
  /** Whether the machine was too busy for a verdict that depends on time. */
  readonly isTooBusy: boolean;
  /** How slow the machine was: the time of a bare request, and by how much Kredo's own pauses were late. */
  readonly loadMillis: Millis;
  readonly durationMillis: Millis;
  /** How many events there were when the application was told to restart, if it was. */
  readonly restartedAt: number | undefined;
  /** How many there were when each wait began. */
  readonly waitedAt: readonly number[];
  readonly stranger: SentByStranger | undefined;
}

/** The time limit (wall time) for the first request. */
const FIRST_REQUEST_MILLIS: Millis = 5 * SECOND;

/** The longest time (wall time) for which the tries of a refused order are watched, or an order's first after something went wrong. */
const LONGEST_WATCH_MILLIS: Millis = MINUTE;

/** Wall time between two orders that are placed one after the other. */
const BETWEEN_ORDERS_MILLIS: Millis = 25;

/** Many applications work for half a second after they have answered, and a restart then would meet an order in progress. */
const SHORTEST_QUIET_MILLIS: Millis = SECOND;

/** Wall time in which an application has started again. */
const RESTART_MILLIS: Millis = 30 * SECOND;

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
  /** Before the first order of a trial. */
  #balance: ShownValue<Kes> | undefined;
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
    const problem = trial.isContinued === true ? undefined : await application.act("reset");
    if (problem !== undefined) throw new NoVerdict(`reset in the app map failed: ${problem}`);
    await this.#begin(trial, startedAt);
    const orders = distinctOrders(trial.steps.flatMap((step) => ("place" in step ? step.place : [])));
    const unplaced = orders.map((order) => ({ ...order, reply: PLACED_TOO_LATE }));
    const before =
      trial.isContinued === true ? this.questions.unread : await this.questions.before(unplaced, this.patience);
    const monitor = new LoadMonitor(environment);
    await monitor.time(application.isListening());
    const placed = new Placing(application, environment.clock);
    const waitedAt: number[] = [];
    let restartedAt: number | undefined;
    let stranger: SentByStranger | undefined;
    const quiet = {
      environment: { ...environment, pause: monitor.pause },
      isPlacing: () => placed.isPlacing,
      isTold: Object.keys(application.map.callbacks).length > 0,
      tick: () => application.act("tick"),
    };
    this.#balance = before.balances[0];
    for (const step of trial.steps) {
      const { events } = await environment.account.journal();
      if ("restart" in step) restartedAt = events.length;
      if ("wait" in step) waitedAt.push(events.length);
      if ("stranger" in step) stranger = await this.#sendAsStranger(placed.find(step.stranger), events);
      const settle = (): Millis => Math.max(this.#pace.settle(trial.isPatient), SHORTEST_QUIET_MILLIS);
      const work =
        "quiet" in step
          ? waitUntilQuiet({ ...quiet, isManual: false, settle, isOver: async () => false }).then(() =>
              placed.noteKnown(),
            )
          : this.#carryOut(step, placed);
      await unlessInterrupted(work, environment);
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
    const patience = this.#pace.settle(trial.isPatient);
    const asked = await this.questions.ask(orders, { kept, requests, placed, before, patience });
    for (const number of orders.flatMap(numbersOf)) this.#earlier.add(number);
    return {
      kept,
      ...asked,
      findings: findInJournal(kept, { report: environment.report }),
      isTooBusy: monitor.isTooBusy,
      loadMillis: monitor.loadMillis,
      durationMillis: environment.clock.now() - startedAt,
      restartedAt,
      waitedAt,
      stranger,
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
    const mayHoldBack = isContinued === true && this.#options.application.map.settle === undefined;
    const isWatched = isRetried || (mayHoldBack && orders.some(isHeldBack));
    return isWatched ? Math.max(settle, LONGEST_WATCH_MILLIS) : settle;
  }

  async #begin(trial: Trial, now: Instant): Promise<void> {
    const { application, environment, before } = this.#options;
    const { callbackUrls: callbacks } = application;
    await environment.account.begin(trialJournal(before, { ...trial, callbacks, now }));
  }

  async #carryOut(step: Exclude<TrialStep, { quiet: true }>, placed: Placing): Promise<void> {
    const { account, pause, interruption } = this.#options.environment;
    if ("place" in step) await this.#place(step, placed);
    else if ("requested" in step) await this.#untilRequested(placed);
    else if ("answered" in step) await placed.whenAnswered();
    else if ("topUp" in step) await account.topUp(step.topUp);
    else if ("wait" in step) await pause(step.wait, interruption);
    else if ("held" in step) await this.questions.noteHeld(step.held, this.#balance);
    else if ("stranger" in step) return;
    else if ("restart" in step) await this.#spend("restarting_ms", () => this.#restart(placed));
    else await account.advance(step.advance);
  }

  async #place({ place, isAtOnce }: Extract<TrialStep, { place: unknown }>, placed: Placing): Promise<void> {
    const { account, pause, interruption } = this.#options.environment;
    // An application may answer only after its callback, so one order alone is not waited for.
    const areTogether = isAtOnce || place.length === 1;
    for (const order of place) {
      if (placed.isNumberKnown(order)) {
        const { events } = await account.journal();
        placed.noteRequestsBefore(order, requestsNaming(order, requestsOfBackend(events)).length);
      }
      const placing = placed.place(order);
      if (areTogether) continue;
      await placing;
      await pause(BETWEEN_ORDERS_MILLIS, interruption);
    }
  }

  async #untilRequested(placed: Placing): Promise<void> {
    const { application, environment } = this.#options;
    const reached = placed.orders.map((order) => {
      // Those before were for each of its recipients.
      const requests = Math.ceil(placed.requestsBefore(order) / numbersOf(order).length) + 1;
      const requested = environment.account.untilRequested(order.phoneNumber, application.settle, requests);
      return Promise.race([requested, placed.whenRefused(order)]);
    });
    await Promise.all(reached);
  }

  /** Resolves to undefined if the application has not answered the order, or the gateway has settled it or does not know it. */
  async #sendAsStranger(
    order: PlacedOrder | undefined,
    events: readonly AccountEvent[],
  ): Promise<SentByStranger | undefined> {
    const { application } = this.#options;
    const state = foldJournal(events);
    const accepted = state && [...state.transactions.values()].map((one) => one.accepted);
    const requestId = accepted?.find((one) => one.order.phoneNumber === order?.phoneNumber)?.requestId;
    if (order === undefined || state === undefined || requestId === undefined) return undefined;
    const before = await application.status(order);
    const sent = await sendStrangersCallback(application, state, requestId);
    return sent && { ...sent, before };
  }

  #spend(part: TimePart, work: () => Promise<void>): Promise<void> {
    return this.#options.time?.spend(part, work) ?? work();
  }

  /** Restarts the application, and waits until it accepts connections again. */
  async #restart(placed: Placing): Promise<void> {
    const { application, environment } = this.#options;
    placed.noteRestart((await environment.account.journal()).events);
    const problem = await application.act("restart");
    if (problem !== undefined) throw new NoVerdict(`restart in the app map failed: ${problem}`);
    if (!(await listensWithin(RESTART_MILLIS, application, environment)))
      throw new NoVerdict(`the application did not accept connections after its restart`);
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
