import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder, PlacedOrder } from "../application/placed-order.ts";
import type { AskedValue } from "../application/ask.ts";
import { findOfOrder } from "../checks/findings.ts";
import { debitOf, isMoneyWrong, judgeShared, NOT_ITS_OWN } from "../orders/judge-money.ts";
import { asFullBooks, judgeSurplus } from "../orders/judge-books.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { ShownWords } from "../orders/shown-words.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import { isTriedForever, mayRetry, type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import type { Verdict } from "../verdict.ts";
import type { TrialEnvironment } from "./environment.ts";
import { type Before, Balances, BETWEEN_QUESTIONS_MILLIS, isNotShown } from "./balances.ts";
import { Books } from "./books.ts";
import { MoneyPace, type MoneySeen } from "./money-pace.ts";
import { PlainOrders } from "./plain-orders.ts";
import { PLACED_TOO_LATE, type Placing } from "./placing.ts";

/** What the application says at the end of a trial. */
export interface Answers {
  /** In the order in which they were placed; an order that was placed twice counts once. */
  readonly orders: readonly OrderEvidence[];
  /** Whether they share a balance. */
  readonly isBalanceShared: boolean;
  /** What is wrong with their shared balance or books, and cannot be attributed to a single order. */
  readonly imbalance: Verdict | undefined;
  /** What was taken from their shared balance. */
  readonly total?: AskedValue<Kes>;
}

interface Trialled {
  readonly kept: JournalSlice;
  readonly requests: ReadonlyMap<string, readonly RequestEvent[]>;
  readonly placed: Placing;
  readonly before: Before;
  /** When its last event was seen, in wall time. */
  readonly since: Instant;
  /** The wall time in which the money must become right. */
  readonly patience: Parameters<MoneyPace["patience"]>[0];
}

/** The longest time (wall time) for which the tries of a refused order are watched, or an order's first after something went wrong. */
export const LONGEST_WATCH_MILLIS: Millis = MINUTE;

/** By so much is the gateway's answer held longer than the balance took before: for Kredo's own pauses, and for a balance that varies. */
const HELD_MARGIN_MILLIS: Millis = SECOND / 4;

/** No answer is held longer than the shortest timeout that is advised. A balance that takes longer is not known to be from before the answer. */
const LONGEST_HELD_MILLIS: Millis = 10 * SECOND;

/** Asks the application about its orders and its money. */
export class Questions {
  readonly #application: Application;
  readonly #environment: TrialEnvironment;
  /** What plain orders have shown. */
  readonly plain: PlainOrders;
  readonly balances: Balances;
  readonly books: Books;
  readonly words: ShownWords;
  readonly moneyPace = new MoneyPace();
  /** For how long the gateway holds its answer. */
  #held: Millis = 0;

  constructor(application: Application, environment: TrialEnvironment) {
    this.plain = new PlainOrders(application);
    this.balances = new Balances(application, environment);
    this.books = new Books(application, this.plain);
    this.words = new ShownWords(application.map.status?.review);
    this.#application = application;
    this.#environment = environment;
  }

  /** Returns the scenario that holds the gateway's answer until the balance can have been read, by how long that takes now. */
  async holdAnswer(orders: readonly PlacedOrder[]): Promise<Scenario> {
    const { clock } = this.#environment;
    const askedAt = clock.now();
    await this.balances.ask(orders);
    const took = Math.ceil(clock.now() - askedAt);
    this.#held = Math.min(took + HELD_MARGIN_MILLIS, LONGEST_HELD_MILLIS);
    return {
      version: 1,
      name: "held-answer",
      rules: [{ name: "the answer is held", then: { ack: { delay: `${this.#held}ms` } } }],
    };
  }

  /** Notes what a plain order has taken already, while the gateway holds its answer. */
  async noteHeld(order: ApplicationOrder, before: AskedValue<Kes> | undefined): Promise<void> {
    const { account, clock } = this.#environment;
    // An old balance tells nothing of this order.
    if (this.balances.oldFor !== undefined) return;
    await account.untilRequested(order.phoneNumber, this.#application.settle, 1);
    const [now] = await this.balances.ask([{ ...order, reply: PLACED_TOO_LATE }]);
    const askedAt = clock.now();
    const { events } = await account.journal();
    const request = events.findLast((event) => event.kind === "accepted");
    const debited = debitOf(before, now);
    const isHeld = request !== undefined && askedAt - sentAt(request) < this.#held;
    if (isHeld && "value" in debited) this.plain.noteHeld(order, readOrderTruth(events, [request]), debited.value);
  }

  /** Asks the application about all orders, and only then about money: until it is right, or its time is over. */
  async ask(orders: readonly ApplicationOrder[], trialled: Trialled): Promise<Answers> {
    const { before, kept } = trialled;
    const { clock, pause, interruption } = this.#environment;
    const asked = await this.#askOfOrders(orders, trialled);
    const patience = Math.max(this.moneyPace.patience(trialled.patience), this.balances.oldFor ?? 0);
    // What looks right may be the balance of before, if this application is known to show that for a while.
    await pause(Math.max(0, before.at + (this.balances.oldFor ?? 0) - clock.now()), interruption);
    const until = clock.now() + patience;
    let wasOld = false;
    for (;;) {
      const answers = await this.#askForMoney(asked, before, kept.events);
      const seen = moneySeen(answers, before, kept);
      if (seen !== "wrong" && wasOld) {
        this.balances.oldFor ??= Math.min(clock.now() - before.at, patience);
        this.moneyPace.noteLate(clock.now() - trialled.since);
      }
      if (seen !== "wrong" || clock.now() >= until) {
        this.books.note(answers.orders, kept.events);
        this.moneyPace.noteEnd(seen, trialled.since);
        return answers;
      }
      wasOld ||= !answers.orders.some(({ debited }) => isNotShown(debited));
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
    const { events } = await environment.account.journal();
    const shown = all.map((order, index) => {
      const asked = placed.timesOf(order);
      const own = requests.get(order.reference) ?? [];
      const truth = readOrderTruth(kept.events, own, this.plain.wantedOf(order, own), asked);
      return {
        placed: order,
        asked,
        isOneReference: placed.isOneReference(order),
        truth,
        claimed: claims[index] ?? NAMES_NO_ORDER,
        ...this.plain.compare(order, truth),
        isPaidFirst: this.plain.isPaidFirst(order),
        mayRetry: this.#mayHaveSlowTimer(truth) || mayRetry(truth.requests, kept.events, now),
        isTriedForever: isTriedForever(truth, now, LONGEST_WATCH_MILLIS),
        wasToldBeforeRestart: placed.wasTold(truth),
        findings: findOfOrder(kept, truth.requests, environment.report),
      };
    });
    // What came while it was asked may have told it.
    if (events.length === kept.events.length) for (const order of shown) this.words.note(order);
    return shown.map((order) => ({
      ...order,
      isProvenTold: this.words.proveTold(order),
      isForReview: this.words.isForReview(order.claimed),
    }));
  }

  async #askForMoney(
    orders: readonly Omit<OrderEvidence, "debited" | "books">[],
    { balances: before }: Before,
    events: readonly AccountEvent[],
  ): Promise<Answers> {
    const application = this.#application;
    const after = await this.balances.readAfter(orders.map(({ placed }) => placed));
    const isShared = application.isBalanceShared(orders.map(({ placed }) => placed));
    const books = await this.books.show(
      orders.map(({ placed }) => placed),
      events,
    );
    const shown = orders.map((order, index): OrderEvidence => ({
      ...order,
      debited: isShared ? NOT_ITS_OWN : debitOf(before[index], after[index]),
      books: books[index] ?? { missing: "it was not asked" },
    }));
    const judged = asFullBooks(shown, events);
    const surplus = judgeSurplus(judged, events);
    if (!isShared) return { orders: judged, isBalanceShared: false, imbalance: surplus };
    const shared = judgeShared(judged, debitOf(before[0], after[0]));
    return { ...shared, imbalance: shared.imbalance ?? surplus, isBalanceShared: true };
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
}

/** What is open, or was not read, may be paid for or not. Without the balance before, no other one tells what was taken. */
function moneySeen({ imbalance, orders }: Answers, before: Before, { events }: JournalSlice): MoneySeen {
  const isLost = before.balances.some(isNotShown);
  const shown = isLost ? orders.map((order) => ({ ...order, debited: NOT_ITS_OWN })) : orders;
  if (imbalance !== undefined || shown.some((order) => isMoneyWrong(order, events))) return "wrong";
  return shown.every(({ debited }) => "value" in debited) ? "right" : "unknown";
}

const NAMES_NO_ORDER = {
  claim: "not asked",
  said: "status in the app map names no order, so it cannot be told whose it is; add {id} or {reference}",
} as const;
