import { boundsOf } from "../application/price.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { readRequest, type RequestReading } from "../../gateway/account/readings/request.ts";
import { numbersOf } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Wanted } from "../../gateway/account/readings/sale.ts";
import { addKes, cents, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { type Operation, orderFields } from "../../gateway/domain/order.ts";
import { measureSms } from "../../gateway/domain/sms-parts.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { differenceOf, explainParts, type Part, partOf, partsAsked, wantedOf } from "../orders/delivery.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import type { OrderTruth } from "../orders/order-truth.ts";
import type { TextParts } from "../orders/text-parts.ts";

/** What a trial asks about the money and the goods of an order. */
export type Question = "books" | "delivers";

type Compared = Pick<OrderEvidence, "difference" | "part" | "requests" | "unsaid" | "price" | "unrounded" | "mostHeld">;

interface HeldOrder {
  readonly order: ApplicationOrder;
  /** While the gateway held its answer. */
  readonly truth: OrderTruth;
  readonly taken: Kes;
}

/** What plain orders have shown of an application, with which others are compared. */
export class PlainOrders {
  readonly #application: Application;
  /** What a customer pays for an SMS of so many parts, measured in the baseline. */
  readonly #prices = new Map<number, Kes>();
  /** How many requests a plain order takes for each number. */
  readonly #requests = new Map<Operation, number>();
  /** What plain orders took before the gateway answered. */
  readonly #held = new Map<Operation, HeldOrder>();
  /** The questions that the baseline already answered wrong, by operation. Every trial would repeat that. */
  readonly #unasked = new Set<string>();

  constructor(application: Application) {
    this.#application = application;
  }

  /** Learns how many requests a plain order takes, and the price of an SMS. What costs nothing may be billed later, or otherwise. */
  learn({ placed, truth, debited }: OrderEvidence): void {
    this.#requests.set(placed.operation, truth.delivered.length / numbersOf(placed).length || 1);
    if (placed.operation === "sms" && "value" in debited && debited.value > 0)
      this.#prices.set(partsOf(placed, truth), debited.value);
  }

  /** Notes what a plain order takes before the gateway answers. */
  noteHeld(order: ApplicationOrder, truth: OrderTruth, taken: Kes): void {
    if (this.isPaidFirst(order) !== true) this.#held.set(order.operation, { order, truth, taken });
  }

  /** Returns whether plain orders are paid before the gateway answers; undefined if that was not seen. */
  isPaidFirst({ operation }: ApplicationOrder): boolean | undefined {
    const held = this.#held.get(operation);
    return held && held.taken > NO_MONEY;
  }

  /** Stops asking a question that the baseline already answered wrong. */
  leaveOut(question: Question, operation: Operation): void {
    this.#unasked.add(`${question} ${operation}`);
  }

  /** Returns the price by the map, otherwise that of a plain SMS of as many parts. */
  #priceOf(
    order: ApplicationOrder,
    truth: OrderTruth,
    { part, sent }: { part?: Part | undefined; sent?: TextParts | undefined },
  ): Pick<OrderEvidence, "price" | "unrounded"> {
    // What was never sent of it costs something, too.
    if (sent?.isWhole === false) return { price: undefined };
    const parts = partsOf(order, truth, sent?.texts);
    const sum = addKes(truth.charged, truth.refunded);
    // A part is compared with the price of everything.
    const charged = part === undefined ? sum : cents(Math.round(sum / part.arrived));
    const learned = order.operation === "sms" ? this.#prices.get(parts) : undefined;
    return this.#application.priceOf({ ...order, charged, parts }) ?? { price: learned };
  }

  /** Returns the most that an order may cost, whatever the gateway will charge: airtime no more than its amount. */
  #mostOf(order: ApplicationOrder, truth: OrderTruth, sent?: TextParts): Kes | undefined {
    // What was never sent of it may be held, too.
    if (sent?.isWhole === false) return undefined;
    const parts = partsOf(order, truth, sent?.texts);
    const [face, learned] = order.operation === "airtime" ? [order.amount * 100, 0] : [0, this.#prices.get(parts) ?? 0];
    const charged = cents(Math.max(truth.charged + truth.refunded, truth.held, face));
    const priced = this.#application.priceOf({ ...order, charged, parts }) ?? { price: NO_MONEY };
    const most = Math.max(boundsOf(priced).to, learned);
    return most === 0 ? undefined : cents(most);
  }

  /** Returns the most that may be taken for an open order: what it may cost, or more where a plain one was seen to hold more, as a deposit. */
  #mostHeld(order: ApplicationOrder, truth: OrderTruth, sent?: TextParts): Kes | undefined {
    const most = this.#mostOf(order, truth, sent);
    const plain = this.#held.get(order.operation);
    if (most === undefined || plain === undefined) return most;
    const price = this.#mostOf(plain.order, plain.truth);
    if (price === undefined || plain.taken <= price) return most;
    return cents(Math.max(most + plain.taken - price, Math.ceil((most * plain.taken) / price)));
  }

  /** Compares an order with what a plain one has shown and costs. */
  compare(order: ApplicationOrder, truth: OrderTruth): Compared {
    const { map } = this.#application;
    const sent = this.#partsAsked(order, truth.readings);
    const unsaid = sent && explainParts(order, sent, map);
    const requests = this.#requestsFor(order, sent);
    const isUnasked = this.isUnasked("delivers", order) || unsaid !== undefined;
    const part = isUnasked ? undefined : partOf(order, truth, requests, map);
    const difference = isUnasked ? undefined : differenceOf(order, truth.delivered, map);
    return {
      difference: part !== undefined && difference?.of === "amount" ? undefined : difference,
      part,
      requests,
      unsaid,
      mostHeld: this.#mostHeld(order, truth, sent),
      ...this.#priceOf(order, truth, { part, sent }),
    };
  }

  /** Returns what these requests for an order are to sell. */
  wantedOf(order: ApplicationOrder, requests: readonly RequestEvent[]): Wanted {
    const usual = this.#requestsFor(order);
    const parts = this.#partsAsked(
      order,
      requests.map((event) => readRequest(event)),
    );
    const { texts, ...wanted } = wantedOf(order, usual, this.#application.map, parts);
    return this.isUnasked("delivers", order) ? { requests: usual, texts } : { ...wanted, texts };
  }

  #requestsFor({ operation }: ApplicationOrder, sent?: TextParts): number {
    return Math.max(this.#requests.get(operation) ?? 1, sent?.texts.length ?? 1);
  }

  #partsAsked(order: ApplicationOrder, readings: readonly RequestReading[]): TextParts | undefined {
    return partsAsked(
      order,
      readings.map(({ asked }) => asked),
      this.#application.map,
    );
  }

  isUnasked(question: Question, { operation }: ApplicationOrder): boolean {
    return this.#unasked.has(`${question} ${operation}`);
  }
}

/** Returns whether the client of a plain order did not wait for its answer, because its timeout is shorter than the answer was held. */
export function hasLeft({ truth }: Pick<OrderEvidence, "truth">): boolean {
  return truth.readings.some(({ answer }) => answer.says === "none");
}

/** Returns the parts of an SMS to all its recipients as the gateway counted them; without a request that it took, those of its texts. */
function partsOf(
  order: ApplicationOrder,
  { requests }: OrderTruth,
  texts: readonly string[] = [order.message],
): number {
  const measured = requests.flatMap((event) =>
    event.kind === "accepted" && event.measure ? [{ ...orderFields(event.order), parts: event.measure.parts }] : [],
  );
  const parts = texts.map((text) => {
    const own = measured.find(({ message }) => message === text || texts.length === 1);
    return own?.parts ?? measureSms(text, 70).parts;
  });
  return parts.reduce((sum, one) => sum + one, 0) * numbersOf(order).length;
}
