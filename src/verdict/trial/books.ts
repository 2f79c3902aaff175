import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { Application } from "../application/application.ts";
import type { ShownBooks } from "../application/money.ts";
import type { BookedCharge, PlacedOrder } from "../application/placed-order.ts";
import { lacksCharge, requestIdsIn } from "../orders/judge-books.ts";
import type { BooksOfOrder, OrderEvidence } from "../orders/order-evidence.ts";
import type { PlainOrders } from "./plain-orders.ts";

type Asked = Pick<Application, "map" | "books" | "hasBooksOfEach">;

/** Reads the books before and after the orders of a trial. Knows the requests of earlier trials, and how long the list has been. */
export class Books {
  readonly #application: Asked;
  readonly #plain: Pick<PlainOrders, "isUnasked">;
  readonly #earlier = new Set<string>();
  #before: readonly ShownBooks[] = [];
  #longest = 0;
  /** The length at which the list lacked a charge. */
  #stoodAt = Infinity;
  /** Whether the list shows all: the map says where its pages are, or it has passed the length at which it lacked a charge. */
  isWhole: boolean;

  constructor(application: Asked, plain: Pick<PlainOrders, "isUnasked">) {
    this.#application = application;
    this.#plain = plain;
    this.isWhole = application.map.books?.next !== undefined;
  }

  /** Reads what is in the books before the orders of a trial. */
  async begin(orders: readonly PlacedOrder[]): Promise<void> {
    this.#before = await this.#read(orders);
  }

  /** Reads what the books show of each order of a trial. */
  async show(orders: readonly PlacedOrder[], events: readonly AccountEvent[]): Promise<BooksOfOrder[]> {
    const hasOwn = this.#application.hasBooksOfEach;
    const ids = requestIdsIn(events);
    const isLate = ({ requestId = "" }: BookedCharge): boolean => this.#earlier.has(requestId) && !ids.has(requestId);
    const after = await this.#read(orders);
    return after.map((shown, index): BooksOfOrder => {
      if ("missing" in shown) return shown;
      const before = this.#before[index] ?? { value: [] };
      // What an order has of its own may not be there before it.
      if ("missing" in before && !hasOwn) return { ...before, missing: `before the order, ${before.missing}` };
      const known = "value" in before ? before.value : [];
      const { length } = shown.value;
      return {
        value: added(known, shown.value).filter((entry) => !isLate(entry)),
        hasLost: added(shown.value, known).length > 0,
        endsAt: !this.isWhole && length > 0 && length >= this.#longest ? length : undefined,
        isFull: length === this.#stoodAt,
        isOfOne: hasOwn ? "value" in before : orders.length === 1,
      };
    });
  }

  /** Notes what a trial has shown in the end. */
  note(orders: readonly OrderEvidence[], events: readonly AccountEvent[]): void {
    for (const id of requestIdsIn(events)) this.#earlier.add(id);
    for (const order of orders)
      if (lacksCharge(order, events) && "value" in order.books) this.#stoodAt = order.books.endsAt ?? this.#stoodAt;
  }

  /** Reads the list of each order; once, if they share one. */
  async #read(orders: readonly PlacedOrder[]): Promise<ShownBooks[]> {
    const application = this.#application;
    const asked = orders.filter((order) => !this.#plain.isUnasked("books", order));
    const lists = application.hasBooksOfEach ? asked : asked.slice(0, 1);
    const shown = await Promise.all(lists.map((order) => application.books(order)));
    for (const list of shown) this.#noteLength("value" in list ? list.value.length : 0);
    return orders.map((order) => {
      const place = asked.indexOf(order);
      return (application.hasBooksOfEach || place === -1 ? shown[place] : shown[0]) ?? NOT_ASKED;
    });
  }

  #noteLength(length: number): void {
    if (length > this.#stoodAt) this.isWhole = true;
    this.#longest = Math.max(this.#longest, length);
  }
}

const NOT_ASKED: ShownBooks = { missing: "it was already wrong in the baseline" };

/** Returns the entries that a list has and another has not. Two that look the same are two. */
function added(before: readonly BookedCharge[], after: readonly BookedCharge[]): BookedCharge[] {
  const left = new Map<string, number>();
  const change = ({ requestId, amount }: BookedCharge, by: number): number => {
    const key = JSON.stringify([requestId, amount]);
    const count = (left.get(key) ?? 0) + by;
    left.set(key, count);
    return count;
  };
  for (const entry of before) change(entry, 1);
  return after.filter((entry) => change(entry, -1) < 0);
}
