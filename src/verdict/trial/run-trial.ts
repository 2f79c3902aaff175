import { forEachProduct } from "../../gateway/domain/order.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { numbersOf, requestsByOrder, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import type { ShownValue } from "../application/ask.ts";
import { fillUrl } from "../application/placeholders.ts";
import type { Finding } from "../checks/finding.ts";
import { findInJournal } from "../checks/findings.ts";
import { MAX_RETRIES } from "../checks/refused-requests.ts";
import { mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import { NoVerdict, type TrialEnvironment, unlessInterrupted } from "./environment.ts";
import { LoadMonitor, Pace } from "./pace.ts";
import { distinctOrders, PLACED_TOO_LATE, Placing } from "./placing.ts";
import { type Answers, Questions } from "./questions.ts";
import { trialJournal, type TrialStart } from "./trial-journal.ts";
import { listensWithin, waitUntilQuiet } from "./until-quiet.ts";

/** Orders placed in the application while scenarios play, on a fresh account. */
export interface Trial extends Omit<TrialStart, "callbacks" | "now"> {
  readonly steps: readonly TrialStep[];
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient: boolean;
}

export type TrialStep =
  | { readonly place: readonly ApplicationOrder[]; readonly isAtOnce: boolean }
  | { readonly advance: Millis }
  | { readonly topUp: Kes }
  | { readonly wait: Millis }
  /** Waits until orders are answered and nothing happens any more. A manual clock stands still. */
  | { readonly quiet: true }
  | { readonly restart: true }
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
}

/** The time limit (wall time) for the first request. */
const FIRST_REQUEST_MILLIS: Millis = 5 * SECOND;

/** The longest time (wall time) for which the tries of a refused order are watched. */
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
    const problem = await application.act("reset");
    if (problem !== undefined) throw new NoVerdict(`reset in the app map failed: ${problem}`);
    await this.#begin(trial, startedAt);
    const orders = distinctOrders(trial.steps.flatMap((step) => ("place" in step ? step.place : [])));
    const before = await this.questions.balances(orders.map((order) => ({ ...order, reply: PLACED_TOO_LATE })));
    const monitor = new LoadMonitor(environment);
    await monitor.time(application.isListening());
    const placed = new Placing(application);
    const quiet = {
      environment: { ...environment, pause: monitor.pause },
      isPlacing: () => placed.isPlacing,
      tick: () => application.act("tick"),
    };
    this.#balance = before[0];
    await this.#carryOut(trial, placed, async () => {
      const settle = (): Millis => Math.max(this.#pace.settle(trial.isPatient), SHORTEST_QUIET_MILLIS);
      await waitUntilQuiet({ ...quiet, isManual: false, settle, isOver: async () => false });
      await placed.noteKnown();
    });
    if (trial.clock.mode !== "manual") await environment.account.drain(DRAIN_MILLIS);
    const kept = await waitUntilQuiet({
      ...quiet,
      isManual: trial.clock.mode === "manual",
      settle: ({ events }) => this.#settle(events, orders, trial),
      isOver: this.#whenRight(orders, placed),
    });
    this.#pace.noteRequests(kept.events, orders.length);
    const requests = requestsByOrder(kept.events, orders, this.#earlier);
    const asked = await this.questions.ask(orders, { kept, requests, placed, before });
    for (const number of orders.flatMap(numbersOf)) this.#earlier.add(number);
    return {
      kept,
      ...asked,
      findings: findInJournal(kept, { report: environment.report }),
      isTooBusy: monitor.isTooBusy,
      loadMillis: monitor.loadMillis,
      durationMillis: environment.clock.now() - startedAt,
    };
  }

  /** Returns how long nothing may happen before orders are judged as they are. */
  #settle(events: readonly AccountEvent[], orders: readonly ApplicationOrder[], { isPatient }: Trial): Millis {
    const settle = Math.max(
      this.#pace.settle(isPatient),
      requestsOfBackend(events).length > 0 ? 0 : FIRST_REQUEST_MILLIS,
    );
    const requests = isPatient ? [...requestsByOrder(events, orders, this.#earlier).values()] : [];
    const refused = requests.filter((own) => own.length > 0 && own.every(({ kind }) => kind === "refused"));
    const now = this.#options.environment.clock.now();
    // An application that tries again is watched until it has stopped, or has shown that it never does.
    const isWatched = refused.some((own) => own.length <= MAX_RETRIES + 1 && mayRetry(own, events, now));
    return isWatched ? Math.max(settle, LONGEST_WATCH_MILLIS) : settle;
  }

  async #begin(trial: Trial, now: Instant): Promise<void> {
    const { application, environment, before } = this.#options;
    const values = new Map([["app", application.url]]);
    const { callbacks: urls } = application.map;
    const callbacks = forEachProduct((product) => urls[product] && fillUrl(urls[product], values));
    await environment.account.begin(trialJournal(before, { ...trial, callbacks, now }));
  }

  async #carryOut({ steps }: Trial, placed: Placing, untilQuietNow: () => Promise<void>): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const work = "quiet" in step ? untilQuietNow() : this.#carryOutStep(step, placed, index === steps.length - 1);
      await unlessInterrupted(work, this.#options.environment);
    }
  }

  async #carryOutStep(step: Exclude<TrialStep, { quiet: true }>, placed: Placing, isLast: boolean): Promise<void> {
    const { account, pause, interruption } = this.#options.environment;
    if ("place" in step) await this.#place(step, placed, isLast);
    else if ("topUp" in step) await account.topUp(step.topUp);
    else if ("wait" in step) await pause(step.wait, interruption);
    else if ("held" in step) await this.questions.noteHeld(step.held, this.#balance);
    else if ("restart" in step) await this.#restart(placed);
    else await account.advance(step.advance);
  }

  /** Places orders. Unless it is the last step, waits until each has reached the gateway or was refused by the application. */
  async #place(
    { place, isAtOnce }: Extract<TrialStep, { place: unknown }>,
    placed: Placing,
    isLast: boolean,
  ): Promise<void> {
    const { application, environment } = this.#options;
    const { account, pause, interruption } = environment;
    // An application may answer only after its callback, so one order alone is not waited for.
    const areTogether = isAtOnce || place.length === 1;
    for (const order of place) {
      const placing = placed.place(order);
      if (areTogether) continue;
      await placing;
      await pause(BETWEEN_ORDERS_MILLIS, interruption);
    }
    if (isLast) return;
    const reached = place.map(({ phoneNumber }) =>
      Promise.race([account.untilRequested(phoneNumber, application.settle), placed.whenRefused(phoneNumber)]),
    );
    await Promise.all(reached);
  }

  /** Restarts the application, and waits until it accepts connections again. */
  async #restart(placed: Placing): Promise<void> {
    const { application, environment } = this.#options;
    placed.noteRestart();
    const problem = await application.act("restart");
    if (problem !== undefined) throw new NoVerdict(`restart in the app map failed: ${problem}`);
    if (!(await listensWithin(RESTART_MILLIS, application, environment)))
      throw new NoVerdict(`the application did not accept connections after its restart`);
  }

  /** Returns a function that tells whether every order has had the right outcome for long enough. */
  #whenRight(orders: readonly ApplicationOrder[], placed: Placing): (kept: JournalSlice) => Promise<boolean> {
    const { application, environment } = this.#options;
    const { clock } = environment;
    let last = { events: 0, at: clock.now() };
    let rightSince: Instant | undefined;
    return async ({ events }) => {
      if (events.length !== last.events) [last, rightSince] = [{ events: events.length, at: clock.now() }, undefined];
      if (!application.hasStatusOfEach && orders.length > 1) return false;
      const requests = requestsByOrder(events, orders, this.#earlier);
      for (const order of orders) {
        const truth = readOrderTruth(events, requests.get(order.phoneNumber));
        if (!(await this.#isRight(placed.find(order), truth))) return false;
      }
      if (rightSince === undefined) {
        rightSince = clock.now();
        this.#pace.noteRight(rightSince - last.at);
      }
      return clock.now() - rightSince >= this.#pace.calm;
    };
  }

  async #isRight(order: PlacedOrder | undefined, { delivered, reversed, isNotified }: OrderTruth): Promise<boolean> {
    if (order === undefined || !isNotified) return false;
    const { claim } = await this.#options.application.status(order);
    return claim === (delivered.length > 0 ? "paid" : "failed") || (claim === "paid" && reversed > 0);
  }
}
