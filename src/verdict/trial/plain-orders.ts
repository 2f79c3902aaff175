import { numbersOf } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Wanted } from "../../gateway/account/readings/sale.ts";
import { addKes, cents, type Kes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { measureSms } from "../../gateway/domain/sms-parts.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { differenceOf, type Part, partOf, wantedOf } from "../orders/delivery.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import type { OrderTruth } from "../orders/order-truth.ts";

/** What a trial asks about the money and the goods of an order. */
export type Question = "books" | "delivers";

type Compared = Pick<OrderEvidence, "difference" | "part" | "requests" | "price" | "unrounded">;

/** What plain orders have shown of an application, with which others are compared. */
export class PlainOrders {
  readonly #application: Application;
  /** What a customer pays for an SMS of so many parts, measured in the baseline. */
  readonly #prices = new Map<number, Kes>();
  /** How many requests a plain order takes for each number. */
  readonly #requests = new Map<Operation, number>();
  /** The operations whose plain orders were paid before the gateway answered. */
  readonly #paidFirst = new Set<Operation>();
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

  notePaidFirst({ operation }: ApplicationOrder): void {
    this.#paidFirst.add(operation);
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
    const isUnasked = this.isUnasked("delivers", order);
    const part = isUnasked ? undefined : partOf(order, truth, requests, map);
    const difference = isUnasked ? undefined : differenceOf(order, truth.delivered, map);
    return {
      difference: part !== undefined && difference?.of === "amount" ? undefined : difference,
      part,
      requests,
      ...this.#priceOf(order, truth, part),
    };
  }

  wantedOf(order: ApplicationOrder): Wanted {
    const requests = this.#requests.get(order.operation) ?? 1;
    return this.isUnasked("delivers", order) ? { requests } : wantedOf(order, requests, this.#application.map);
  }

  isUnasked(question: Question, { operation }: ApplicationOrder): boolean {
    return this.#unasked.has(`${question} ${operation}`);
  }
}

/** Returns the parts of an SMS to all its recipients as the gateway counted them; without a request that it took, those of the text. */
function partsOf(order: ApplicationOrder, { requests }: OrderTruth): number {
  const measured = requests.flatMap((event) => (event.kind === "accepted" && event.measure ? [event.measure] : []));
  return (measured[0] ?? measureSms(order.message, 70)).parts * numbersOf(order).length;
}
