import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { addKes, type Kes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import type { Shown } from "../application/ask.ts";
import { fill } from "../application/placeholders.ts";
import type { Finding } from "../checks/finding.ts";
import { findInJournal, findOfOrder } from "../checks/findings.ts";
import { debitOf, judgeTotal, type OrderEvidence } from "../orders/judge-order.ts";
import { differenceOf } from "../orders/delivery.ts";
import { type OrderTruth, readOrderTruth, requestsByOrder } from "../orders/order-truth.ts";
import type { Verdict } from "../report/report.ts";
import { NoVerdict, type TrialEnvironment, unlessInterrupted } from "./environment.ts";
import { LoadMonitor, Pace } from "./pace.ts";
import { distinct, NOT_YET, Placing } from "./placing.ts";
import { trialJournal, type TrialStart } from "./trial-journal.ts";
import { advanceToTheEnd, isBackWithin, untilQuiet } from "./until-quiet.ts";

/** Orders placed in the application while scenarios play, on a fresh account. */
export interface Trial extends Omit<TrialStart, "callbacks" | "now"> {
  readonly steps: readonly TrialStep[];
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient: boolean;
}

export type TrialStep =
  | { readonly place: readonly ApplicationOrder[]; readonly isAtOnce: boolean }
  | { readonly advance: Millis | "all" }
  | { readonly topUp: Kes }
  | { readonly wait: Millis }
  /** Waits until orders are answered and nothing happens any more. A manual clock stands still. */
  | { readonly quiet: true }
  | { readonly restart: true };

/** What a trial leaves. */
export interface Evidence {
  readonly kept: JournalSlice;
  readonly findings: readonly Finding[];
  /** In the order in which they were placed; an order that was placed twice counts once. */
  readonly orders: readonly OrderEvidence[];
  /** Whether they share a balance. */
  readonly isBalanceShared: boolean;
  /** What is wrong with their shared balance, and cannot be attributed to a single order. */
  readonly imbalance: Verdict | undefined;
  /** Whether the machine was too busy for a verdict that depends on time. */
  readonly isTooBusy: boolean;
  /** How slow the machine was: the time of a bare request, and by how much Kredo's own pauses were late. */
  readonly loadMillis: Millis;
  readonly durationMillis: Millis;
}

/** The time limit (wall time) for the first request. */
const FIRST_REQUEST_MILLIS: Millis = 5 * SECOND;

/** Wall time between two orders that are placed one after the other. */
const BETWEEN_ORDERS_MILLIS: Millis = 25;

/** Many applications work for half a second after they have answered, and a restart then would meet an order in progress. */
const SHORTEST_QUIET_MILLIS: Millis = SECOND;

/** Wall time in which an application has started again. */
const RESTART_MILLIS: Millis = 30 * SECOND;

/** Wall time for a clock that runs by itself to finish what is due. */
const DRAIN_MILLIS: Millis = 30 * SECOND;

/** What a trial asks about the money and the goods of an order. */
export type Question = "balance" | "books" | "delivers";

interface RunnerOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly before: AccountState;
}

/** Runs trials, each on a fresh account. */
export class TrialRunner {
  readonly #options: RunnerOptions;
  readonly #pace: Pace;
  /** The price that a customer pays for an order, measured in the baseline. */
  readonly #prices = new Map<Operation, Kes>();
  /** The questions that the baseline already answered wrong. Every trial would repeat that. */
  readonly #unasked = new Set<Question>();
  /** The numbers of the orders of earlier trials. */
  readonly #earlier = new Set<string>();
  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#pace = new Pace(options.application.map.settle);
  }

  /** Learns from a plain order what it costs. */
  learn({ placed: { operation }, debited }: OrderEvidence): void {
    if ("value" in debited) this.#prices.set(operation, debited.value);
  }

  /** Stops asking a question that the baseline already answered wrong. */
  leaveOut(question: Question): void {
    this.#unasked.add(question);
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
    const orders = distinct(trial.steps.flatMap((step) => ("place" in step ? step.place : [])));
    const before = await this.#balances(orders.map((order) => ({ ...order, reply: NOT_YET })));
    const monitor = new LoadMonitor(environment);
    await monitor.time(application.isListening());
    const placed = new Placing(application);
    const quiet = {
      environment: { ...environment, pause: monitor.pause },
      isPlacing: () => placed.isPlacing,
      tick: () => application.act("tick"),
    };
    await this.#carryOut(trial, placed, async () => {
      const settle = (): Millis => Math.max(this.#pace.settle(trial.isPatient), SHORTEST_QUIET_MILLIS);
      await untilQuiet({ ...quiet, isManual: false, settle, isOver: async () => false });
      await placed.noteKnown();
    });
    if (trial.clock.mode !== "manual") await environment.account.drain(DRAIN_MILLIS);
    const kept = await untilQuiet({
      ...quiet,
      isManual: trial.clock.mode === "manual",
      settle: ({ events }) =>
        Math.max(this.#pace.settle(trial.isPatient), events.some(isRequestEvent) ? 0 : FIRST_REQUEST_MILLIS),
      isOver: this.#whenRight(orders, placed),
    });
    this.#pace.noteRequests(kept.events, orders.length);
    const asked = await this.#ask(orders, { kept, placed, before });
    for (const { phoneNumber } of orders) this.#earlier.add(phoneNumber);
    return {
      kept,
      ...asked,
      findings: findInJournal(kept, { report: environment.report }),
      isTooBusy: monitor.isTooBusy,
      loadMillis: monitor.loadMillis,
      durationMillis: environment.clock.now() - startedAt,
    };
  }

  async #begin(trial: Trial, now: Instant): Promise<void> {
    const { application, environment, before } = this.#options;
    const values = new Map([["app", application.url]]);
    const { airtime, sms } = application.map.callbacks;
    const callbacks = { airtime: airtime && fill(airtime, values), sms: sms && fill(sms, values) };
    await environment.account.begin(trialJournal(before, { ...trial, callbacks, now }));
  }

  async #carryOut({ steps }: Trial, placed: Placing, untilQuietNow: () => Promise<void>): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const work = "quiet" in step ? untilQuietNow() : this.#carryOutStep(step, placed, index === steps.length - 1);
      await unlessInterrupted(work, this.#options.environment);
    }
  }

  async #carryOutStep(step: Exclude<TrialStep, { quiet: true }>, placed: Placing, isLast: boolean): Promise<void> {
    const { environment } = this.#options;
    const { account, pause, interruption } = environment;
    if ("place" in step) await this.#place(step, placed, isLast);
    else if ("topUp" in step) await account.topUp(step.topUp);
    else if ("wait" in step) await pause(step.wait, interruption);
    else if ("restart" in step) await this.#restart(placed);
    else if (step.advance === "all") await advanceToTheEnd(environment);
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
    if (!(await isBackWithin(RESTART_MILLIS, application, environment)))
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

  async #isRight(order: PlacedOrder | undefined, { delivered, reversed, isTold }: OrderTruth): Promise<boolean> {
    if (order === undefined || !isTold) return false;
    const { claim } = await this.#options.application.status(order);
    return claim === (delivered > 0 ? "paid" : "failed") || (claim === "paid" && reversed > 0);
  }

  /** Asks the application about all orders, and only then about money. */
  async #ask(
    orders: readonly ApplicationOrder[],
    { kept, placed, before }: { kept: JournalSlice; placed: Placing; before: readonly Shown<Kes>[] },
  ): Promise<Pick<Evidence, "orders" | "isBalanceShared" | "imbalance">> {
    const { application, environment } = this.#options;
    const all = orders.map((order) => placed.find(order) ?? { ...order, reply: NOT_YET });
    const claims = await Promise.all(
      all.map((order) =>
        application.hasStatusOfEach || all.length === 1 ? placed.statusOf(order) : Promise.resolve(NAMES_NO_ORDER),
      ),
    );
    const after = await this.#balances(all);
    const isShared = application.hasSharedBalance && all.length > 1;
    const requests = requestsByOrder(kept.events, all, this.#earlier);
    const books = this.#unasked.has("books") ? NOT_ASKED : undefined;
    const evidence = all.map(async (order, index): Promise<OrderEvidence> => {
      const truth = readOrderTruth(kept.events, requests.get(order.phoneNumber));
      return {
        placed: order,
        asked: placed.timesOf(order),
        truth,
        claimed: claims[index] ?? NAMES_NO_ORDER,
        difference: this.#unasked.has("delivers") ? undefined : differenceOf(order, truth.received, application.map),
        debited: isShared
          ? { missing: "the balance is shared with another order" }
          : debitOf(before[index], after[index]),
        price: application.priceOf(order, addKes(truth.charged, truth.refunded)) ?? this.#prices.get(order.operation),
        books: books ?? (await application.books(order)),
        findings: findOfOrder(kept, truth.requests, environment.report),
      };
    });
    const judged = await Promise.all(evidence);
    const total = debitOf(before[0], after[0]);
    const imbalance = isShared && "value" in total ? judgeTotal(judged, total.value) : undefined;
    return { orders: judged, isBalanceShared: isShared, imbalance };
  }

  /** Reads the customer's balance for each order; once, if they share one. */
  #balances(orders: readonly PlacedOrder[]): Promise<Shown<Kes>[]> {
    const { application } = this.#options;
    const isUnasked = this.#unasked.has("balance");
    const asked = application.hasSharedBalance ? orders.slice(0, 1) : orders;
    return Promise.all(asked.map((order) => (isUnasked ? Promise.resolve(NOT_ASKED) : application.balance(order))));
  }
}

const NOT_ASKED = { missing: "it was already wrong in the baseline" };

const NAMES_NO_ORDER = {
  claim: "not asked",
  said: "status in the app map names no order, so it cannot be told whose it is; add {id}, {reference} or {phone_number}",
} as const;
