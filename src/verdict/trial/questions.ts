import type { RequestEvent } from "../../gateway/account/events.ts";
import type { Wanted } from "../../gateway/account/readings/sale.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { addKes, cents, type Kes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import type { ShownValue } from "../application/ask.ts";
import { findOfOrder } from "../checks/findings.ts";
import { differenceOf, partOf, wantedOf } from "../orders/delivery.ts";
import { debitOf, judgeTotal, shareTotal } from "../orders/judge-order.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import type { Verdict } from "../verdict.ts";
import type { TrialEnvironment } from "./environment.ts";
import { PLACED_TOO_LATE, type Placing } from "./placing.ts";

/** What a trial asks about the money and the goods of an order. */
export type Question = "balance" | "books" | "delivers";

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
  readonly before: readonly ShownValue<Kes>[];
}

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
  /** The price that a customer pays for an order, measured in the baseline. */
  readonly #prices = new Map<Operation, Kes>();
  /** How many requests a plain order takes for each number. */
  readonly #requests = new Map<Operation, number>();
  /** The operations whose plain orders were paid before the gateway answered. */
  readonly #paidFirst = new Set<Operation>();
  /** The questions that the baseline already answered wrong, by operation. Every trial would repeat that. */
  readonly #unasked = new Set<string>();

  constructor(application: Application, environment: TrialEnvironment) {
    this.#application = application;
    this.#environment = environment;
  }

  learn({ placed: { operation, recipients = [] }, debited, truth }: OrderEvidence): void {
    this.#requests.set(operation, truth.delivered.length / (1 + recipients.length) || 1);
    if ("value" in debited) this.#prices.set(operation, debited.value);
  }

  isPaidFirst({ operation }: ApplicationOrder): boolean {
    return this.#paidFirst.has(operation);
  }

  /** Stops asking a question that the baseline already answered wrong. */
  leaveOut(question: Question, operation: Operation): void {
    this.#unasked.add(`${question} ${operation}`);
  }

  /** Returns the price by the map, otherwise that of a plain order. */
  #priceOf(order: ApplicationOrder, charged: Kes): Pick<OrderEvidence, "price" | "rounding"> {
    return this.#application.priceOf(order, charged) ?? { price: this.#prices.get(order.operation) };
  }

  /** Compares an order with what a plain one has shown and costs. */
  compare(
    order: ApplicationOrder,
    truth: OrderTruth,
  ): Pick<OrderEvidence, "difference" | "part" | "requests" | "price" | "rounding"> {
    const { map } = this.#application;
    const requests = this.#requests.get(order.operation) ?? 1;
    const isUnasked = this.#isUnasked("delivers", order);
    const part = isUnasked ? undefined : partOf(order, truth, requests, map);
    const difference = isUnasked ? undefined : differenceOf(order, truth.delivered, map);
    const charged = addKes(truth.charged, truth.refunded);
    return {
      difference: part !== undefined && difference?.of === "amount" ? undefined : difference,
      part,
      requests,
      // A part is compared with the price of everything.
      ...this.#priceOf(order, part === undefined ? charged : cents(Math.round(charged / part.arrived))),
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
    const [now] = await this.balances([{ ...order, reply: PLACED_TOO_LATE }]);
    const askedAt = clock.now();
    const { events } = await account.journal();
    const request = events.findLast((event) => event.kind === "accepted");
    const debited = debitOf(before, now);
    const isHeld = request !== undefined && askedAt - sentAt(request) < HELD_MILLIS;
    if (isHeld && "value" in debited && debited.value > 0) this.#paidFirst.add(order.operation);
  }

  /** Asks the application about all orders, and only then about money. */
  async ask(orders: readonly ApplicationOrder[], { kept, requests, placed, before }: Trialled): Promise<Answers> {
    const [application, environment] = [this.#application, this.#environment];
    const now = environment.clock.now();
    const all = orders.map((order) => placed.find(order) ?? { ...order, reply: PLACED_TOO_LATE });
    const claims = await Promise.all(
      all.map((order) =>
        application.hasStatusOfEach || all.length === 1 ? placed.statusOf(order) : Promise.resolve(NAMES_NO_ORDER),
      ),
    );
    const after = await this.balances(all);
    const isShared = application.hasSharedBalance && all.length > 1;
    const evidence = all.map(async (order, index): Promise<OrderEvidence> => {
      const asked = placed.timesOf(order);
      const truth = readOrderTruth(kept.events, requests.get(order.phoneNumber), this.#wantedOf(order), asked);
      return {
        placed: order,
        asked,
        isOneReference: placed.isOneReference(order),
        truth,
        claimed: claims[index] ?? NAMES_NO_ORDER,
        ...this.compare(order, truth),
        debited: isShared
          ? { missing: "the balance is shared with another order" }
          : debitOf(before[index], after[index]),
        isPaidFirst: this.isPaidFirst(order),
        mayRetry: this.#mayHaveSlowTimer(truth) || mayRetry(truth.requests, kept.events, now),
        books: this.#isUnasked("books", order) ? NOT_ASKED : await application.books(order),
        findings: findOfOrder(kept, truth.requests, environment.report),
      };
    });
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
    const asked = application.hasSharedBalance ? orders.slice(0, 1) : orders;
    return Promise.all(
      asked.map(async (order) => (this.#isUnasked("balance", order) ? NOT_ASKED : application.balance(order))),
    );
  }
}

const NOT_ASKED = { missing: "it was already wrong in the baseline" };

const NAMES_NO_ORDER = {
  claim: "not asked",
  said: "status in the app map names no order, so it cannot be told whose it is; add {id}, {reference} or {phone_number}",
} as const;
