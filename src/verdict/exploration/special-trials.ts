import type { Operation } from "../../gateway/domain/order.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import { FAULTS } from "../faults.ts";
import type { AppMap } from "../application/app-map.ts";
import { placeholdersIn } from "../application/placeholders.ts";
import type { Cell, SpecialTrial } from "./cell.ts";

const SPECIAL_TRIALS: readonly SpecialTrial[] = [
  {
    id: "five-customers-at-once",
    words: "five customers order at once, and the carrier fails one of the orders",
    orders: [{}, {}, { faults: ["result-failed"] }, {}, {}],
  },
  {
    id: "unanswered-beside-unknown",
    words: "one order gets no answer, and the callback of another has a request_id that was never issued",
    orders: [{ faults: ["reset-before-accept"] }, { faults: ["callback-unknown-request-id"] }],
  },
  ...["first", "second"].flatMap((failing) => ["in turn", "crossed"].map((order) => twoOrders(failing, order))),
  {
    id: "numbers-of-three-carriers",
    words: "customers of three carriers order, with numbers like 25411…, 25410… and 25477…",
    orders: [{ prefix: "25411" }, { prefix: "25410" }, { prefix: "25477" }],
  },
  {
    id: "long-and-unusual-texts",
    words: "the text of an SMS is long, has lines, quotes and signs, or letters of other scripts and emoji",
    operation: "sms",
    orders: [
      {
        message: `Your order: ${"1 kg of sugar, 2 loaves of bread, 500 ml of milk; ".repeat(8)}total KES 1,840. Asante`,
      },
      { message: `"Asante sana", says O'Brien: 100% of 5 < 6 & 7 + {8} is here; see a\\b/c?d=e#f_g~[h] or ask @us` },
      { message: `Agizo lako liko njiani 🚚🇰🇪: ${"ጤና ይስጥልኝ, naïve Zoë, 你好, سلام. ".repeat(4)}Karibu 👩🏾‍🌾` },
      { message: "Duka la Wanjiku\nMkate  1\nMaziwa  2" },
      // Decomposed letters, and what templates, forms and log formats would replace.
      { message: "Cafe\u0301 ya Zoe\u0308 & Co: 5% off, {} na %s, %20, {name} &amp; a+b" },
    ],
  },
  { id: "same-order-twice", words: "the same order is placed twice at once", orders: [{}], isTwice: true },
  {
    id: "restart-after-order",
    words: "the application is restarted between its answer to the order and the callback",
    orders: [{}],
    after: [{ quiet: true }, { restart: true }],
  },
  {
    id: "restart-during-order",
    words: "the application is restarted while it waits for the gateway's answer",
    orders: [{ faults: ["slow-acknowledgment"] }],
    after: [{ restart: true }],
  },
  {
    id: "restart-after-callback",
    words:
      "the application is restarted as soon as it has acknowledged the callback, and one of two callbacks is repeated",
    orders: [{}, { faults: ["callback-twice"] }],
    // Longer than a carrier takes, and shorter than until a callback is repeated.
    after: [{ quiet: true }, { advance: 30 * SECOND }, { restart: true }],
  },
];

/** Two orders, one of which fails. Their callbacks come in the order in which they were placed, or the other way round. */
function twoOrders(failing: string, order: string): SpecialTrial {
  const faults = ["first", "second"].map((which) => [
    ...(which === failing ? ["result-failed"] : []),
    ...((which === "first") === (order === "crossed") ? ["callback-late"] : []),
  ]);
  return {
    id: `${failing}-of-two-fails${order === "crossed" ? "-crossed" : ""}`,
    words: `two orders are placed, the ${failing} fails, and their callbacks arrive ${order}`,
    orders: faults.map((ids) => ({ faults: ids })),
    isInTurn: true,
  };
}

export const SPECIAL_TRIAL_IDS: readonly string[] = SPECIAL_TRIALS.map(({ id }) => id);

/** Returns the special trials of an operation that the app map allows. */
export function specialCells(operation: Operation, map: AppMap): Cell[] {
  // Without a reference, two equal orders may be meant.
  const hasReference = placeholdersIn(map.order[operation]?.request).includes("reference");
  return SPECIAL_TRIALS.filter(
    ({ after, isTwice, operation: only = operation }) =>
      only === operation &&
      (isTwice === undefined || hasReference) &&
      (after === undefined || map.restart !== undefined),
  ).map((special) => ({
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
  return special.orders.map(({ faults = [], ...kind }) => ({
    ...cell,
    kind,
    faults: FAULTS.filter(({ id }) => faults.includes(id)).map((fault) => ({ point, fault })),
  }));
}

/** What loses most money in the least time, for `--quick`. */
export const QUICK_IDS: readonly string[] = [
  "reset-after-accept",
  "proxy-502-after-accept",
  "result-failed",
  "callback-twice-at-once",
  "callback-before-ack",
  "failure-before-ack",
  "failure-wrong-content-type",
  "contradiction-after-success",
  "lost-ack-then-failure",
  "five-customers-at-once",
  "first-of-two-fails-crossed",
  "refused-402",
  "refused-422",
];
