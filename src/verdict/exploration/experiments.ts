import type { Operation } from "../../gateway/domain/order.ts";
import { MINUTE, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import type { OrderKind } from "../application/new-order.ts";
import { placeholdersIn } from "../application/placeholders.ts";
import { FAULTS } from "../faults.ts";
import { judgeBeside, judgeStranger } from "../orders/judge-stranger.ts";
import { mustSend } from "../orders/unsent.ts";
import {
  all,
  calledBackBetweenWaits,
  calledBackInOrder,
  requested,
  requestedBeforeCallbacks,
  restartedAfterFirstCallbacks,
  restartedBeforeCallbacks,
  restartedBeforeRequests,
} from "./conditions.ts";
import { type Condition, type Experiment, firstRequest, place } from "./experiment.ts";

/** An experiment that no single fault describes, for one operation or for each. */
interface Named extends Pick<Experiment, "words" | "steps" | "judge"> {
  readonly name: string;
  readonly operation?: Operation;
  /** The orders, and the ids of the faults that happen to their first requests. */
  readonly orders: readonly (OrderKind & { readonly faults?: readonly string[] })[];
  /** What the app map must have, or the application do, for it to mean anything. */
  readonly needs?: readonly Need[];
  readonly happened: Condition;
}

type Need = "reference" | "own status" | "restart" | "callbacks" | "answers first";

type Steps = NonNullable<Experiment["steps"]>;

const atOnce: Steps = (orders) => [{ place: orders, isAtOnce: true }, { requested: true }];
const inTurn: Steps = (orders) => orders.flatMap((order) => [...place(order), { requested: true }]);

/** Several parts in any alphabet. Its lines differ, so that each piece of it has one place. */
export const LONG_TEXT = `Your order: ${numbered("kg of sugar, 2 loaves of bread, 500 ml of milk; ", 8)}total KES 1,840. Asante`;

export const LONG_TEXT_OF_SCRIPTS = `Agizo lako liko njiani 🚚🇰🇪: ${numbered("ጤና ይስጥልኝ, naïve Zoë, 你好, سلام. ", 4)}Karibu 👩🏾‍🌾`;

function numbered(line: string, times: number): string {
  return Array.from({ length: times }, (_, at) => `${at + 1} ${line}`).join("");
}

export const UNUSUAL_TEXTS = "long-and-unusual-texts";

const NAMED: readonly Named[] = [
  {
    name: "five-customers-at-once",
    words: "five customers order at once, and the carrier fails one of the orders",
    orders: [{}, {}, { faults: ["result-failed"] }, {}, {}],
    steps: atOnce,
    happened: requestedBeforeCallbacks,
  },
  {
    name: "unanswered-beside-unknown",
    words: "one order gets no answer, and the callback of another has a request_id that was never issued",
    orders: [{ faults: ["reset-before-accept"] }, { faults: ["callback-unknown-request-id"] }],
    needs: ["callbacks"],
    steps: atOnce,
    happened: requestedBeforeCallbacks,
  },
  ...["first", "second"].flatMap((failing) => ["in turn", "crossed"].map((order) => twoOrders(failing, order))),
  {
    name: "numbers-of-three-carriers",
    words: "customers of three carriers order, with numbers like 25411…, 25410… and 25477…",
    orders: [{ prefix: "25411" }, { prefix: "25410" }, { prefix: "25477" }],
    happened: requested,
  },
  {
    name: UNUSUAL_TEXTS,
    words: "the text of an SMS is long, has lines, quotes and signs, or letters of other scripts and emoji",
    operation: "sms",
    orders: [
      { message: LONG_TEXT },
      { message: `"Asante sana", says O'Brien: 100% of 5 < 6 & 7 + {8} is here; see a\\b/c?d=e#f_g~[h] or ask @us` },
      { message: LONG_TEXT_OF_SCRIPTS },
      { message: "Duka la Wanjiku\nMkate  1\nMaziwa  2" },
      // Decomposed letters, and what templates, forms and log formats would replace.
      { message: "Cafe\u0301 ya Zoe\u0308 & Co: 5% off, {} na %s, %20, {name} &amp; a+b" },
    ],
    happened: requested,
  },
  {
    name: "same-order-twice",
    words: "the same order is placed twice at once",
    orders: [{}],
    // Without a reference, two equal orders may be meant.
    needs: ["reference"],
    steps: (orders) => [{ place: [...orders, ...orders], isAtOnce: true }],
    happened: requested,
  },
  {
    name: "numbers-as-typed",
    words: "customers type their numbers like 0712… and +254712…",
    orders: [{ typed: "local" }, { typed: "plus" }],
    needs: ["own status"],
    happened: requested,
  },
  ...(["number", "number and amount"] as const).map(secondOrder),
  {
    name: "strangers-callback",
    words: "somebody else than the gateway sends a callback for an order",
    orders: [{ faults: ["never-settles"] }, { faults: ["never-settles"] }],
    needs: ["callbacks"],
    steps: (orders) => [...atOnce(orders), ...orders.slice(0, 1).map((order) => ({ stranger: order }))],
    judge: ({ orders: [order, other], stranger }) =>
      order && other && stranger
        ? [judgeStranger(order, { ...stranger, control: other.claimed }), judgeBeside(other)]
        : [],
    happened: ({ stranger }) =>
      stranger === undefined ? "the application had not answered the order, or the gateway did not know it" : undefined,
  },
  {
    name: "callback-three-times-apart",
    words: "the callback is sent three times, one and three seconds apart",
    orders: [{ faults: ["callback-three-times"] }],
    needs: ["callbacks"],
    steps: (orders) => [
      ...atOnce(orders),
      { advance: MINUTE },
      { wait: SECOND },
      { advance: MINUTE },
      { wait: 3 * SECOND },
      { advance: MINUTE },
    ],
    happened: calledBackBetweenWaits,
  },
  {
    name: "restart-before-request",
    words: "the application is restarted between its answer to the order and its request to the gateway",
    orders: [{}],
    needs: ["restart", "answers first"],
    steps: (orders) => [{ place: orders, isAtOnce: true }, { answered: true }, { restart: true }],
    judge: mustSend,
    happened: restartedBeforeRequests,
  },
  {
    name: "restart-after-order",
    words: "the application is restarted between its answer to the order and the callback",
    orders: [{}],
    needs: ["restart"],
    steps: (orders) => [...atOnce(orders), { quiet: true }, { restart: true }],
    happened: restartedBeforeCallbacks,
  },
  {
    name: "restart-during-order",
    words: "the application is restarted while it waits for the gateway's answer",
    orders: [{ faults: ["slow-acknowledgment"] }],
    needs: ["restart"],
    steps: (orders) => [...atOnce(orders), { restart: true }],
    happened: restartedBeforeCallbacks,
  },
  {
    name: "restart-after-callback",
    words:
      "the application is restarted as soon as it has acknowledged the callback, and one of two callbacks is repeated",
    orders: [{}, { faults: ["callback-twice"] }],
    needs: ["restart", "callbacks"],
    steps: (orders) => [
      ...atOnce(orders),
      { quiet: true },
      // Longer than a carrier takes, and shorter than until a callback is repeated.
      { advance: 30 * SECOND },
      { restart: true },
    ],
    happened: restartedAfterFirstCallbacks(1),
  },
];

/** A customer orders once more for the same number, after the first order is final. */
function secondOrder(again: "number" | "number and amount"): Named {
  const isAlike = again === "number and amount";
  return {
    name: isAlike ? "second-order-alike" : "second-order-for-a-number",
    words: `a customer orders again for the same number${isAlike ? ", and the same" : ", and another amount"}`,
    orders: [{}, { again }],
    needs: ["own status"],
    steps: ([first, second]) => [
      ...place(first),
      { requested: true },
      { advance: MINUTE },
      { quiet: true },
      ...place(second),
    ],
    happened: requested,
  };
}

/** Two orders, one of which fails. Their callbacks come in the order in which they were placed, or the other way round. */
function twoOrders(failing: string, order: string): Named {
  const isCrossed = order === "crossed";
  const faults = ["first", "second"].map((which) => [
    ...(which === failing ? ["result-failed"] : []),
    ...((which === "first") === isCrossed ? ["callback-late"] : []),
  ]);
  return {
    name: `${failing}-of-two-fails${isCrossed ? "-crossed" : ""}`,
    words: `two orders are placed, the ${failing} fails, and their callbacks arrive ${order}`,
    orders: faults.map((ids) => ({ faults: ids })),
    needs: ["callbacks"],
    steps: inTurn,
    happened: all(requestedBeforeCallbacks, isCrossed ? calledBackInOrder(1, 0) : calledBackInOrder(0, 1)),
  };
}

/** The names by which experiments are chosen that no single fault describes. */
export const EXPERIMENT_NAMES: readonly string[] = NAMED.map(({ name }) => name);

/** What is known of the application before the first fault. */
interface Known {
  readonly application: Application;
  /** Whether it answers an order before it asks the gateway. */
  readonly answersFirst: boolean;
}

/** Returns the named experiments of an operation that the application gives occasion for. */
export function namedExperiments(operation: Operation, { application, answersFirst }: Known): Experiment[] {
  const { map } = application;
  const has: Readonly<Record<Need, boolean>> = {
    reference: placeholdersIn(map.order[operation]?.request).includes("reference"),
    "own status": application.hasStatusOf(twoForOneNumber(operation)),
    restart: map.restart !== undefined,
    callbacks: map.callbacks[operation] !== undefined,
    "answers first": answersFirst,
  };
  return NAMED.filter(
    ({ needs = [], operation: only = operation }) => only === operation && needs.every((need) => has[need]),
  ).map(({ needs: _needs, orders, ...named }) => ({
    ...named,
    id: `${operation}-${named.name}`,
    operation,
    orders: orders.map(({ faults = [], ...kind }) => ({ ...kind, faults: firstFaults(operation, faults) })),
  }));
}

function twoForOneNumber(operation: Operation): ApplicationOrder[] {
  const order = { operation, phoneNumber: "254712345678", amount: 50, message: "" };
  return ["one", "other"].map((reference) => ({ ...order, reference }));
}

/** Returns faults with these ids, at the first request of an order. */
export function firstFaults(operation: Operation, ids: readonly string[]) {
  return FAULTS.filter(({ id }) => ids.includes(id)).map((fault) => ({ ...firstRequest(operation), fault }));
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
