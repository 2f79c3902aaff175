import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";

/** Places orders and remembers what the application answered. */
export class Placing {
  readonly #application: Application;
  readonly #begun = new Map<string, Promise<PlacedOrder>[]>();
  readonly #placed = new Map<string, PlacedOrder>();
  #pending = 0;

  constructor(application: Application) {
    this.#application = application;
  }

  get isPlacing(): boolean {
    return this.#pending > 0;
  }

  async place(order: ApplicationOrder): Promise<void> {
    this.#pending += 1;
    const placing = this.#application.place(order);
    this.#begun.set(order.phoneNumber, [...(this.#begun.get(order.phoneNumber) ?? []), placing]);
    const placed = await placing;
    const known = this.#placed.get(order.phoneNumber);
    if (known === undefined || isRefused(known)) this.#placed.set(order.phoneNumber, placed);
    this.#pending -= 1;
  }

  find({ phoneNumber }: ApplicationOrder): PlacedOrder | undefined {
    return this.#placed.get(phoneNumber);
  }

  timesOf({ phoneNumber }: ApplicationOrder): number {
    return this.#begun.get(phoneNumber)?.length ?? 1;
  }

  /** Resolves once the application has refused the order itself; never, if it takes it. */
  async whenRefused(phoneNumber: string): Promise<void> {
    const placed = await Promise.all(this.#begun.get(phoneNumber) ?? []);
    if (!placed.some(isRefused)) await new Promise<never>(() => {});
  }
}

function isRefused({ reply }: PlacedOrder): boolean {
  return reply.kind === "answered" && reply.status >= 400;
}

/** The answer to an order that was not placed in time. */
export const NOT_YET = { kind: "silent", reason: "it was not placed in time", wasReached: true, isLate: true } as const;

/** Returns each order once, however often it is placed. */
export function distinct(orders: readonly ApplicationOrder[]): ApplicationOrder[] {
  return [...new Map(orders.map((order) => [order.phoneNumber, order])).values()];
}
