import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import { placeholdersIn } from "../application/placeholders.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { type OrderTruth, readOrderTruth } from "../orders/order-truth.ts";
import type { Application } from "../application/application.ts";
import type { Claimed } from "../application/claims.ts";
import { type ApplicationOrder, type PlacedOrder, type Placement, placementOf } from "../application/placed-order.ts";

/** Places orders and remembers what the application answered, also across a restart. */
export class Placing {
  readonly #application: Pick<Application, "map" | "place" | "status">;
  readonly #clock: Pick<WallClock, "now">;
  /** By reference, as all that follows. */
  readonly #begun = new Map<string, { readonly order: ApplicationOrder; readonly placing: Promise<PlacedOrder>[] }>();
  readonly #placed = new Map<string, PlacedOrder>();
  readonly #requestsBefore = new Map<string, number>();
  readonly #numbers = new Set<string>();
  /** The orders that the application knew before it was restarted. */
  readonly #known = new Set<string>();
  #pending = 0;
  #restarts = 0;
  #beforeRestart: readonly AccountEvent[] = [];

  constructor(application: Pick<Application, "map" | "place" | "status">, clock: Pick<WallClock, "now">) {
    this.#application = application;
    this.#clock = clock;
  }

  /** Every order so far. */
  get orders(): ApplicationOrder[] {
    return [...this.#begun.values()].map(({ order }) => order);
  }

  /** How many of them the application still has to answer. */
  get pending(): number {
    return this.#pending;
  }

  async place(order: ApplicationOrder): Promise<void> {
    this.#pending += 1;
    const restarts = this.#restarts;
    const placing = this.#application
      .place(order)
      .then((placed) => ({ ...placed, answeredAt: this.#clock.now() }))
      .then((placed) =>
        restarts === this.#restarts ? placed : { ...placed, isCut: placementOf(placed) === "unknown" },
      );
    const { reference } = order;
    this.#numbers.add(order.phoneNumber);
    this.#begun.set(reference, { order, placing: [...this.#placings(order), placing] });
    const placed = await placing;
    const known = this.#placed.get(reference);
    if (known === undefined || saysMore(placed, known)) this.#placed.set(reference, placed);
    this.#pending -= 1;
  }

  /** Resolves once the application has answered each order. What it has taken, it knows. */
  async whenAnswered(): Promise<void> {
    const placed = await Promise.all(this.orders.flatMap((order) => this.#placings(order)));
    for (const order of placed) if (placementOf(order) === "taken") this.#known.add(order.reference);
  }

  /** Notes that the application is restarted. An order that has no answer yet gets none. */
  noteRestart(events: readonly AccountEvent[]): void {
    this.#restarts += 1;
    this.#beforeRestart = events;
  }

  /** Returns whether the application had acknowledged the outcome of an order when it was restarted. */
  wasTold({ requests }: OrderTruth): boolean {
    const { isNotified, readings } = readOrderTruth(this.#beforeRestart, requests);
    return isNotified && readings.some(({ acknowledged }) => acknowledged.length > 0);
  }

  async noteKnown(): Promise<void> {
    for (const order of this.#placed.values()) {
      const { claim } = await this.#application.status(order);
      if (claim === "open" || claim === "paid" || claim === "failed") this.#known.add(order.reference);
    }
  }

  /** Asks about an order. One that was known before a restart and is not found any more is gone. */
  async statusOf(order: PlacedOrder): Promise<Claimed> {
    const claimed = await this.#application.status(order);
    const { notFound } = claimed;
    if (notFound === undefined || !this.#known.has(order.reference)) return claimed;
    return { claim: "gone", said: notFound };
  }

  find({ reference }: ApplicationOrder): PlacedOrder | undefined {
    return this.#placed.get(reference);
  }

  /** Returns whether another order for its number was placed before. */
  isNumberKnown({ phoneNumber, reference }: ApplicationOrder): boolean {
    return this.#numbers.has(phoneNumber) && !this.#begun.has(reference);
  }

  noteRequestsBefore({ reference }: ApplicationOrder, requests: number): void {
    this.#requestsBefore.set(reference, requests);
  }

  requestsBefore({ reference }: ApplicationOrder): number {
    return this.#requestsBefore.get(reference) ?? 0;
  }

  /** Adds to orders what tells the requests of two for one number apart. */
  ordered(orders: readonly ApplicationOrder[]): (ApplicationOrder & { readonly requestsBefore: number })[] {
    return orders.map((order) => ({ ...order, requestsBefore: this.requestsBefore(order) }));
  }

  timesOf({ reference }: ApplicationOrder): number {
    return this.#begun.get(reference)?.placing.length ?? 1;
  }

  /** Returns whether the application was given the order's reference, which is the same each time. */
  isOneReference({ operation }: ApplicationOrder): boolean {
    return placeholdersIn(this.#application.map.order[operation]?.request).includes("reference");
  }

  #placings({ reference }: ApplicationOrder): readonly Promise<PlacedOrder>[] {
    return this.#begun.get(reference)?.placing ?? [];
  }

  /** Whether the application has answered that it takes the order. */
  hasTaken({ reference }: ApplicationOrder): boolean {
    const placed = this.#placed.get(reference);
    return placed !== undefined && placementOf(placed) === "taken";
  }

  /** Resolves once the application has refused the order itself; never, if it takes it. */
  async whenRefused(order: ApplicationOrder): Promise<void> {
    const placed = await Promise.all(this.#placings(order));
    if (!placed.some((order) => placementOf(order) === "refused")) await new Promise<never>(() => {});
  }
}

/** Of several answers to one order, one that takes it says most, and one that refuses it least, because it may be meant for the repetition. */
const SAYS: Readonly<Record<Placement, number>> = { taken: 2, unknown: 1, refused: 0 };

function saysMore(one: PlacedOrder, other: PlacedOrder): boolean {
  return SAYS[placementOf(one)] > SAYS[placementOf(other)];
}

/** The answer to an order that was not placed in time. */
export const PLACED_TOO_LATE = {
  kind: "silent",
  reason: "it was not placed in time",
  wasReached: true,
  isLate: true,
} as const;

/** Returns each order once, however often it is placed. */
export function distinctOrders(orders: readonly ApplicationOrder[]): ApplicationOrder[] {
  return [...new Map(orders.map((order) => [order.reference, order])).values()];
}
