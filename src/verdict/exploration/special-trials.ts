import type { Operation } from "../../gateway/domain/order.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { FAULTS } from "../faults.ts";
import type { AppMap } from "../application/app-map.ts";
import type { Cell, SpecialTrial } from "./cell.ts";

const SPECIAL_TRIALS: readonly SpecialTrial[] = [
  {
    id: "five-customers-at-once",
    words: "five customers order at once, and the carrier fails one of the orders",
    orders: [[], [], ["result-failed"], [], []],
  },
  {
    id: "unanswered-beside-unknown",
    words: "one order gets no answer, and the callback of another has a request_id that was never issued",
    orders: [["reset-before-accept"], ["callback-unknown-request-id"]],
  },
  { id: "same-order-twice", words: "the same order is placed twice at once", orders: [[]], isTwice: true },
  {
    id: "restart-after-order",
    words: "the application is restarted between its answer to the order and the callback",
    orders: [[]],
    after: [{ quiet: true }, { restart: true }],
  },
  {
    id: "restart-during-order",
    words: "the application is restarted while it waits for the gateway's answer",
    orders: [["slow-acknowledgment"]],
    after: [{ restart: true }],
  },
  {
    id: "restart-after-callback",
    words:
      "the application is restarted as soon as it has acknowledged the callback, and one of two callbacks is repeated",
    orders: [[], ["callback-twice"]],
    // Longer than a carrier takes, and shorter than until a callback is repeated.
    after: [{ quiet: true }, { advance: 30 * SECOND }, { restart: true }],
  },
];

/** The ids of the special trials, for --fault. */
export const SPECIAL_TRIAL_IDS: readonly string[] = SPECIAL_TRIALS.map(({ id }) => id);

/** Returns the special trials of an operation that the app map allows. */
export function specialCells(operation: Operation, map: AppMap): Cell[] {
  return SPECIAL_TRIALS.filter(({ after }) => after === undefined || map.restart !== undefined).map((special) => ({
    id: `${operation}-${special.id}`,
    operation,
    faults: [],
    special,
  }));
}

/** Returns a cell for each of its orders: itself, or the orders of a special trial with their own faults. */
export function cellsOfOrders(cell: Cell): Cell[] {
  const { special, operation } = cell;
  if (special === undefined) return [cell];
  const point = { operation, isDetails: false, nth: 1 };
  return special.orders.map((ids) => ({
    ...cell,
    faults: FAULTS.filter(({ id }) => ids.includes(id)).map((fault) => ({ point, fault })),
  }));
}
