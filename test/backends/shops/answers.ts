import type { Behaviour } from "../../verdict/small-shop.ts";

/** How a shop answers, and what its map says of that: one that loses no money, and what it does with a defect. */
export interface AnswersPair {
  readonly sound: Behaviour;
  readonly mutant: Behaviour;
  /** What the mutant does. */
  readonly defect: string;
  /** The ids of what an exploration finds, one of which must be found. */
  readonly caught: readonly string[];
  /** The first shows the defect. */
  readonly faults: readonly string[];
}

const ORDER =
  'request: { url: "{app}/orders", json: { to: "{phone_number}", amount: { number: "{amount}" }, reference: "{reference}" } }';
const STATUS = "json_path: $.status, paid: paid, failed: failed, open: open";

/** Without an answer of the gateway it does not know either, and says so. */
export const saysUnknown: Behaviour = {
  reply: (_shop, _order, code) =>
    code === undefined ? { status: 504, json: { error: "outcome unknown" } } : undefined,
};

/** The same shop, which can be asked only by the id that is in no answer of 504. */
export const FOUND_BY_ID = {
  order: `{ airtime: { ${ORDER}, id: $.reference } }`,
  status: `{ request: { url: "{app}/orders/{id}" }, ${STATUS} }`,
};

/** Forgets an order without an answer, with its money, like a transaction that an exception rolls back. */
const rollsBack: Behaviour = {
  reply: (shop, { reference, amount }, code) => {
    if (code !== undefined) return undefined;
    shop.orders.delete(reference);
    shop.balance += amount;
    return { status: 500 };
  },
};

/** Beyond 2^53, where every other whole number is none that JavaScript has. */
const FIRST_ID = 9_007_199_254_740_993n;

function numbered(): Behaviour {
  let last = FIRST_ID;
  return {
    reply: (shop, order) => {
      const id = (last++).toString();
      shop.orders.set(id, order);
      return { status: 201, csv: `{ "id": ${id} }` };
    },
    map: {
      order: `{ airtime: { ${ORDER}, id: $.id } }`,
      status: `{ request: { url: "{app}/orders/{id}" }, ${STATUS} }`,
    },
  };
}

/** Shows an order that failed as failed, and keeps its money. */
const keepsTheMoney: Behaviour["receive"] = (shop, callback) => {
  shop.receive(callback);
  const order = shop.byRequest.get(callback.request_id);
  if (order?.status === "failed") shop.balance -= order.amount;
  return { status: 200 };
};

export const PAIRS: Readonly<Record<string, AnswersPair>> = {
  "answers 504 where it does not know": {
    sound: saysUnknown,
    mutant: rollsBack,
    defect: "forgets an order without an answer, and answers 500",
    caught: ["delivered-shown-failed"],
    faults: ["reset-after-accept", "result-failed"],
  },
  "has ids of 64 bits": {
    sound: numbered(),
    mutant: { ...numbered(), receive: keepsTheMoney },
    defect: "keeps the money of orders that fail",
    caught: ["not-refunded"],
    faults: ["result-failed", "first-of-two-fails"],
  },
};
