import { followsFrom, type Verdict } from "../verdict.ts";
import { moneyRank, ORDER_CHECKS, type OrderCheckId } from "./order-checks.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { exchangesOf } from "./order-verdict.ts";

/** One order of a trial, which is right alone, and what is wrong with it beside the others. */
export interface OrderBesideOthers {
  readonly order: OrderEvidence;
  readonly defect?: Verdict;
}

/**
 * Returns what is told of orders each of which was seen to be right alone, with the same draw, and that are wrong together. `imbalance` is
 * what is wrong with the balance that they share. Undefined if it has no name of its own, and is told as what it is.
 */
export function jointDefect(orders: readonly OrderBesideOthers[], imbalance?: Verdict): Verdict | undefined {
  const wrong = orders.flatMap(({ order, defect }) => (defect === undefined ? [] : [{ order, defect }]));
  const [first, ...others] = wrong.toSorted((one, other) => moneyRank(one.defect.id) - moneyRank(other.defect.id));
  // A total that is wrong follows from an order that ended wrong, but not from how a callback was answered.
  const isOfMoney = first === undefined || moneyRank(first.defect.id) >= moneyRank("balance-race");
  // What the books have besides says nothing of the balance.
  if (imbalance !== undefined && imbalance.id !== "wrong-books" && isOfMoney)
    return named("balance-race", imbalance, wrong);
  if (first === undefined || orders.length < 2) return undefined;
  const id = idOf(first, orders);
  const exchanges = wrong.flatMap(({ order }) => exchangesOf(order));
  const life = first.defect.life && { ...first.defect.life, more: wrong.length - 1 };
  return id && { ...named(id, first.defect, others), life, exchanges };
}

type WrongOrder = Required<OrderBesideOthers>;

function named(id: OrderCheckId, { follows, ...seen }: Verdict, others: readonly WrongOrder[]): Verdict {
  const { title, repair } = ORDER_CHECKS[id];
  const besides = others.map(({ order, defect }) => ({
    ...defect,
    seen: `${order.placed.phoneNumber}: ${defect.seen}`,
  }));
  return { ...seen, id, title, repair, follows: [...follows, ...followsFrom(besides)] };
}

function idOf({ order, defect }: WrongOrder, orders: readonly OrderBesideOthers[]): OrderCheckId | undefined {
  if (MONEY.includes(defect.id)) return "balance-race";
  const { truth } = order;
  // No other order's callback can have changed one of which the gateway knows nothing.
  if (truth.asked === 0) return undefined;
  // What silence is taken for may depend on how busy an application is.
  if (defect.id === "delivered-shown-failed") return truth.isNotified ? "mixed-up-orders" : undefined;
  const hasOtherResult = orders.some((other) => other.order !== order && other.order.truth.callbacks.length > 0);
  if (defect.id === "outcome-lost" || defect.id === "callback-not-kept")
    return hasOtherResult ? "mixed-up-orders" : undefined;
  return defect.id === "paid-never-delivered" ? "mixed-up-orders" : undefined;
}

const MONEY: readonly string[] = ["wrong-debit", "not-refunded"];
