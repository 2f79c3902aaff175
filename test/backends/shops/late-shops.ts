import type { Behaviour, SmallOrder, SmallShop } from "../../verdict/small-shop.ts";

/** When a job does what follows from an order's result, in milliseconds after it. */
const JOB = 2_000;
const CAPTURE = 1_500;

/** Shops that do something later than they show an order's end, or never. */
export const LATE_SHOPS = {
  "reverses paid orders": {
    receive: (shop, callback) => {
      shop.receive(callback);
      const order = shop.byRequest.get(callback.request_id);
      if (order?.status === "paid") later(shop, order, JOB, () => reverse(shop, order));
      return { status: 200 };
    },
    map: { settle: undefined },
  },
  // What it takes longer than its map says is measured.
  "refunds later": {
    answered: (shop, order, code) => {
      if (code !== undefined && code !== 200) failAndRefundLater(shop, order);
    },
    receive: (shop, callback) => {
      const order = shop.byRequest.get(callback.request_id);
      if (order?.status === "open" && callback.result_code !== 200) failAndRefundLater(shop, order);
      else shop.receive(callback);
      return { status: 200 };
    },
    map: { settle: "300ms", reset: undefined },
  },
  "debits later": {
    placing: (shop, { text }) => {
      const { amount }: { amount: number } = JSON.parse(text);
      shop.balance += amount;
      return undefined;
    },
    receive: (shop, { request_id, result_code }) => {
      const order = shop.byRequest.get(request_id);
      if (order?.status !== "open") return { status: 200 };
      order.status = result_code === 200 ? "paid" : "failed";
      if (order.status === "paid") later(shop, order, CAPTURE, () => (shop.balance -= order.amount));
      return { status: 200 };
    },
    map: { settle: "300ms", reset: undefined },
  },
  "has a queue that drops": queueOf({ places: 4, isPatient: false }),
  "has a queue that waits": queueOf({ places: 4, isPatient: true }),
} as const satisfies Readonly<Record<string, Behaviour>>;

/** A job finds no order that a reset has deleted. */
function later(shop: SmallShop, order: SmallOrder, millis: number, job: () => void): void {
  setTimeout(() => {
    if (shop.orders.get(order.reference) === order) job();
  }, millis);
}

function reverse(shop: SmallShop, order: SmallOrder): void {
  order.status = "failed";
  shop.balance += order.amount;
}

function failAndRefundLater(shop: SmallShop, order: SmallOrder): void {
  order.status = "failed";
  later(shop, order, JOB, () => (shop.balance += order.amount));
}

interface Queue {
  readonly places: number;
  /** Whether an order without a place waits for one. */
  readonly isPatient: boolean;
}

/** It takes each order at once. One worker sends what is in its queue, as soon as no order has come for a while. */
function queueOf({ places, isPatient }: Queue): Behaviour {
  const queue: SmallOrder[] = [];
  const waiting: SmallOrder[] = [];
  let beginning: NodeJS.Timeout | undefined;
  const work = async (shop: SmallShop): Promise<void> => {
    for (let order = queue[0]; order !== undefined; order = queue[0]) {
      const code = await shop.send(order);
      if (code !== undefined && code !== 200) shop.settle(order, false);
      queue.splice(0, 1, ...waiting.splice(0, 1));
    }
  };
  return {
    placing: (shop, { text }) => {
      const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(text);
      const order: SmallOrder = { reference, phoneNumber: to, amount, status: "open" };
      shop.orders.set(reference, order);
      shop.balance -= amount;
      if (queue.length < places) queue.push(order);
      else if (isPatient) waiting.push(order);
      clearTimeout(beginning);
      beginning = setTimeout(() => void work(shop), 200);
      return { status: 201, json: order };
    },
    map: { settle: "1s" },
  };
}
