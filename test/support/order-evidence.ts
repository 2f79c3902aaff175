import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import type { ApplicationOrder } from "../../src/verdict/application/placed-order.ts";
import type { OrderEvidence } from "../../src/verdict/orders/order-evidence.ts";
import { requestsByOrder } from "../../src/gateway/account/readings/requests-of-orders.ts";
import { readOrderTruth } from "../../src/verdict/orders/order-truth.ts";
import type { TestedAccount, TrialEnvironment } from "../../src/verdict/trial/environment.ts";
import { failOn } from "./finding-events.ts";
import { manualWallClock } from "./gateway/manual-wall-clock.ts";
import { WALL_START } from "./gateway/world.ts";

export const ORDER: ApplicationOrder = {
  operation: "airtime",
  phoneNumber: "254712000001",
  amount: 50,
  message: "",
  reference: "kredo-1",
};

/** What is known about an order after these events, by default one that the application says is paid. */
export function evidenceOf(
  order: ApplicationOrder,
  events: readonly AccountEvent[],
  changes: Partial<OrderEvidence> = {},
): OrderEvidence {
  return {
    asked: 1,
    placed: { ...order, reply: { kind: "answered", status: 201, text: "{}" } },
    truth: readOrderTruth(events, requestsByOrder(events, [order]).get(order.reference)),
    claimed: { claim: "paid", said: "paid" },
    debited: { unasked: "the app map has no balance" },
    price: undefined,
    books: { missing: "not asked" },
    findings: [],
    ...changes,
  };
}

/** An account on which nothing happens. */
export const IDLE_ACCOUNT: TestedAccount = {
  journal: async () => ({ first: 1, events: [] }),
  begin: async () => {},
  advance: async () => ({ pending: 0, isComplete: true, hasMoved: false }),
  drain: async () => true,
  topUp: async () => {},
  untilRequested: async () => {},
};

/** What a trial has around it: wall time passes where it pauses. */
export function trialEnvironment(changes: Partial<TrialEnvironment> = {}): TrialEnvironment {
  const clock = manualWallClock(WALL_START);
  return {
    gateway: { url: "http://127.0.0.1:1", consumerKey: "key" },
    interruption: new AbortController().signal,
    account: IDLE_ACCOUNT,
    clock,
    pause: async (wait) => clock.advance(wait),
    seed: 1,
    report: failOn,
    ...changes,
  };
}
