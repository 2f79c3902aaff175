import type { RequestEvent } from "../../gateway/account/events.ts";
import { numbersOf } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Wanted } from "../../gateway/account/readings/sale.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { addKes, cents, type Kes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { measureSms } from "../../gateway/domain/sms-parts.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import type { ShownValue } from "../application/ask.ts";
import { findOfOrder } from "../checks/findings.ts";
import { differenceOf, type Part, partOf, wantedOf } from "../orders/delivery.ts";
import { debitOf, isMoneyWrong, judgeTotal, shareTotal } from "../orders/judge-order.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import type { Verdict } from "../verdict.ts";
import type { TrialEnvironment } from "./environment.ts";
import { PLACED_TOO_LATE, type Placing } from "./placing.ts";

/** What a trial asks about the money and the goods of an order. */
export type Question = "books" | "delivers";

/** What the application says at the end of a trial. */
export interface Answers {
  /** In the order in which they were placed; an order that was placed twice counts once. */
  readonly orders: readonly OrderEvidence[];
  /** Whether they share a balance. */
  readonly isBalanceShared: boolean;
  /** What is wrong with their shared balance, and cannot be attributed to a single order. */
  readonly imbalance: Verdict | undefined;
}

interface Trialled {
  readonly kept: JournalSlice;
  readonly requests: ReadonlyMap<string, readonly RequestEvent[]>;
  readonly placed: Placing;
  readonly before: Before;
  /** The wall time in which the money must become right. */
  readonly patience: Millis;
}

type Compared = Pick<OrderEvidence, "difference" | "part" | "requests" | "price" | "unrounded">;

/** The balances before the first order, and when they were read. */
interface Before {
  readonly balances: readonly ShownValue<Kes>[];
  readonly at: Instant;
}

/** Wall time between two questions for money that is not right yet. */
const BETWEEN_QUESTIONS_MILLIS: Millis = 100;

/** How long the gateway holds its answer to a plain order, so that a debit before it can be seen. */
const HELD_MILLIS: Millis = 250;

export const HELD_ANSWER: Scenario = {
  version: 1,
  name: "held-answer",
  rules: [{ name: "the answer is held", then: { ack: { delay: `${HELD_MILLIS}ms` } } }],
};

/** Asks the application about its orders and its money. Knows what plain orders have shown. */
export class Questions {
  readonly #application: Application;
  readonly #environment: TrialEnvironment;
  /** What a customer pays for an SMS of so many parts, measured in the baseline. */
  readonly #prices = new Map<number, Kes>();
  /** How many requests a plain order takes for each number. */
  readonly #requests = new Map<Operation, number>();
  /** The operations whose plain orders were paid before the gateway answered. */
  readonly #paidFirst = new Set<Operation>();
  /** The questions that the baseline already answered wrong, by operation. Every trial would repeat that. */
  readonly #unasked = new Set<string>();
  /** For how long the application showed an old balance when that was first seen. */
  #oldFor: Millis | undefined;
  /** The balance that all orders share, after the first reset. */
  #opening: Kes | undefined;
  /** Whether a reset restores that balance; undefined until that was seen. */
  #isRestored: boolean | undefined;
  /** The balance after the last trial. */
  #last: Kes | undefined;
  /** Whether the balance before the first order turned out to be an old one. */
  wasFirstOld = false;

  constructor(application: Application, environment: TrialEnvironment) {
    this.#application = application;
    this.#environment = environment;
  }

  /** Learns how many requests a plain order takes, and the price of an SMS. What costs nothing may be billed later, or otherwise. */
  learn({ placed, truth, debited }: OrderEvidence): void {
    this.#requests.set(placed.operation, truth.delivered.length / numbersOf(placed).length || 1);
    if (placed.operation === "sms" && "value" in debited && debited.value > 0)
      this.#prices.set(partsOf(placed, truth), debited.value);
  }

  isPaidFirst({ operation }: ApplicationOrder): boolean {
    return this.#paidFirst.has(operation);
  }

  /** Stops asking a question that the baseline already answered wrong. */
  leaveOut(question: Question, operation: Operation): void {
    this.#unasked.add(`${question} ${operation}`);
  }

  /** Returns the price by the map, otherwise that of a plain SMS of as many parts. */
  #priceOf(order: ApplicationOrder, truth: OrderTruth, part?: Part): Pick<OrderEvidence, "price" | "unrounded"> {
    const parts = partsOf(order, truth);
    const sum = addKes(truth.charged, truth.refunded);
    // A part is compared with the price of everything.
    const charged = part === undefined ? sum : cents(Math.round(sum / part.arrived));
    const learned = order.operation === "sms" ? this.#prices.get(parts) : undefined;
    return this.#application.priceOf({ ...order, charged, parts }) ?? { price: learned };
  }

  /** Compares an order with what a plain one has shown and costs. */
  compare(order: ApplicationOrder, truth: OrderTruth): Compared {
    const { map } = this.#application;
    const requests = this.#requests.get(order.operation) ?? 1;
    const isUnasked = this.#isUnasked("delivers", order);
    const part = isUnasked ? undefined : partOf(order, truth, requests, map);
    const difference = isUnasked ? undefined : differenceOf(order, truth.delivered, map);
    return {
      difference: part !== undefined && difference?.of === "amount" ? undefined : difference,
      part,
      requests,
      ...this.#priceOf(order, truth, part),
    };
  }

  #wantedOf(order: ApplicationOrder): Wanted {
    const requests = this.#requests.get(order.operation) ?? 1;
    return this.#isUnasked("delivers", order) ? { requests } : wantedOf(order, requests, this.#application.map);
  }

  #isUnasked(question: Question, { operation }: ApplicationOrder): boolean {
    return this.#unasked.has(`${question} ${operation}`);
  }

  /** Notes whether a plain order is paid already, while the gateway holds its answer. */
  async noteHeld(order: ApplicationOrder, before: ShownValue<Kes> | undefined): Promise<void> {
    const { account, clock } = this.#environment;
    // An old balance tells nothing of this order.
    if (this.#oldFor !== undefined) return;
    const [now] = await this.balances([{ ...order, reply: PLACED_TOO_LATE }]);
    const askedAt = clock.now();
    const { events } = await account.journal();
    const request = events.findLast((event) => event.kind === "accepted");
    const debited = debitOf(before, now);
    const isHeld = request !== undefined && askedAt - sentAt(request) < HELD_MILLIS;
    if (isHeld && "value" in debited && debited.value > 0) this.#paidFirst.add(order.operation);
  }

  /**
   * Reads the balances before the first order. After a reset, they may be those of the trial before, for a while. Without patience, the
   * application goes on from that trial, and they are not read.
   */
  async before(orders: readonly PlacedOrder[], patience: Millis | undefined): Promise<Before> {
    if (patience === undefined) return { at: this.#environment.clock.now(), balances: [] };
    const { clock, pause, interruption } = this.#environment;
    const until = clock.now() + patience;
    for (;;) {
      const before = { at: clock.now(), balances: await this.balances(orders) };
      const isLast = valueOf(before.balances[0]) === this.#last;
      const mayBeOld = isLast && this.#openingChanged !== undefined && this.#isRestored === undefined;
      if (!mayBeOld || clock.now() >= until) return this.#noteOpening(before);
      await pause(BETWEEN_QUESTIONS_MILLIS, interruption);
    }
  }

  /** A reset that was seen to restore the balance has done so, even while the application still shows that of the last order. */
  #noteOpening(before: Before): Before {
    const shown = valueOf(before.balances[0]);
    const { map, hasSharedBalance } = this.#application;
    if (map.reset === undefined || !hasSharedBalance || shown === undefined) return before;
    const opening = this.#openingChanged;
    if (opening !== undefined) {
      if (shown === opening) this.#isRestored ??= true;
      else if (shown !== this.#last) this.wasFirstOld = true;
      else if (this.#isRestored === true) return { ...before, balances: [{ value: opening }] };
      else this.#isRestored = false;
    }
    this.#opening = shown;
    return before;
  }

  /** The balance that the last trial began with, if it changed it. */
  get #openingChanged(): Kes | undefined {
    return this.#opening === this.#last ? undefined : this.#opening;
  }

  /** Asks the application about all orders, and only then about money: until it is right, or its time is over. */
  async ask(orders: readonly ApplicationOrder[], trialled: Trialled): Promise<Answers> {
    const { before, kept } = trialled;
    const { clock, pause, interruption } = this.#environment;
    const asked = await this.#askOfOrders(orders, trialled);
    const patience = Math.max(trialled.patience, this.#oldFor ?? 0);
    // What looks right may be the balance of before, if this application is known to show that for a while.
    await pause(Math.max(0, before.at + (this.#oldFor ?? 0) - clock.now()), interruption);
    const until = clock.now() + patience;
    for (let isFirst = true; ; isFirst = false) {
      const answers = await this.#askForMoney(asked, before);
      const isRight =
        answers.imbalance === undefined && !answers.orders.some((order) => isMoneyWrong(order, kept.events));
      if (isRight && !isFirst) this.#oldFor ??= Math.min(clock.now() - before.at, patience);
      if (isRight || clock.now() >= until) return answers;
      await pause(BETWEEN_QUESTIONS_MILLIS, interruption);
    }
  }

  async #askOfOrders(
    orders: readonly ApplicationOrder[],
    { kept, requests, placed }: Trialled,
  ): Promise<Omit<OrderEvidence, "debited" | "books">[]> {
    const [application, environment] = [this.#application, this.#environment];
    const now = environment.clock.now();
    const all = orders.map((order) => placed.find(order) ?? { ...order, reply: PLACED_TOO_LATE });
    const claims = await Promise.all(
      all.map((order) => (application.hasStatusOf(all) ? placed.statusOf(order) : Promise.resolve(NAMES_NO_ORDER))),
    );
    return all.map((order, index) => {
      const asked = placed.timesOf(order);
      const truth = readOrderTruth(kept.events, requests.get(order.reference), this.#wantedOf(order), asked);
      return {
        placed: order,
        asked,
        isOneReference: placed.isOneReference(order),
        truth,
        claimed: claims[index] ?? NAMES_NO_ORDER,
        ...this.compare(order, truth),
        isPaidFirst: this.isPaidFirst(order),
        mayRetry: this.#mayHaveSlowTimer(truth) || mayRetry(truth.requests, kept.events, now),
        wasToldBeforeRestart: placed.wasTold(truth),
        findings: findOfOrder(kept, truth.requests, environment.report),
      };
    });
  }

  async #askForMoney(
    orders: readonly Omit<OrderEvidence, "debited" | "books">[],
    { balances: before }: Before,
  ): Promise<Answers> {
    const application = this.#application;
    const after = await this.balances(orders.map(({ placed }) => placed));
    this.#last = valueOf(after[0]);
    const isShared = application.isBalanceShared(orders.map(({ placed }) => placed));
    const evidence = orders.map(async (order, index): Promise<OrderEvidence> => ({
      ...order,
      debited: isShared
        ? { missing: "the balance is shared with another order" }
        : debitOf(before[index], after[index]),
      books: this.#isUnasked("books", order.placed) ? NOT_ASKED : await application.books(order.placed),
    }));
    const judged = await Promise.all(evidence);
    const total = debitOf(before[0], after[0]);
    if (!isShared || "missing" in total) return { orders: judged, isBalanceShared: isShared, imbalance: undefined };
    return {
      orders: shareTotal(judged, total.value),
      isBalanceShared: true,
      imbalance: judgeTotal(judged, total.value),
    };
  }

  /**
   * Returns whether a timer longer than any trial may try an order again. No later request helps after a 422, and a map with settle or tick
   * says how the application comes to its next try.
   */
  #mayHaveSlowTimer({ readings }: OrderTruth): boolean {
    const { settle, tick } = this.#application.map;
    const last = readings.at(-1)?.answer;
    return settle === undefined && tick === undefined && !(last?.says === "refused" && last.code === 422);
  }

  /** Reads the customer's balance for each order; once, if they share one. */
  balances(orders: readonly PlacedOrder[]): Promise<ShownValue<Kes>[]> {
    const application = this.#application;
    const asked = application.isBalanceShared(orders) ? orders.slice(0, 1) : orders;
    return Promise.all(asked.map((order) => application.balance(order)));
  }
}

function valueOf(shown: ShownValue<Kes> | undefined): Kes | undefined {
  return shown !== undefined && "value" in shown ? shown.value : undefined;
}

/** Returns the parts of an SMS to all its recipients as the gateway counted them; without a request that it took, those of the text. */
function partsOf(order: ApplicationOrder, { requests }: OrderTruth): number {
  const measured = requests.flatMap((event) => (event.kind === "accepted" && event.measure ? [event.measure] : []));
  return (measured[0] ?? measureSms(order.message, 70)).parts * numbersOf(order).length;
}

const NOT_ASKED = { missing: "it was already wrong in the baseline" };

const NAMES_NO_ORDER = {
  claim: "not asked",
  said: "status in the app map names no order, so it cannot be told whose it is; add {id} or {reference}",
} as const;
