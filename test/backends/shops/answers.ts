import { type Behaviour, showOrder, type SmallOrder, type SmallShop } from "../../verdict/small-shop.ts";

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

const REFUSED = { status: 200, json: { errors: ["we do not sell to this number"] } };

/** Sells to no number of one carrier, and says so with 200. */
function refusing(also: (shop: SmallShop, order: SmallOrder) => void = () => {}): Behaviour {
  return {
    placing: (shop, { text }) => {
      const {
        to: phoneNumber,
        amount,
        reference,
      }: { to: string; amount: number; reference: string } = JSON.parse(text);
      if (!phoneNumber.startsWith("25410")) return undefined;
      also(shop, { reference, phoneNumber, amount, status: "open" });
      return REFUSED;
    },
    map: { order: `{ airtime: { ${ORDER}, refused: $.errors } }` },
  };
}

/** An order that failed is not there any more. */
const removesFailed: Behaviour = {
  status: (shop, order) => (order?.status === "failed" ? { status: 410 } : showOrder(shop, order)),
  map: {
    status: `{ request: { url: "{app}/orders/{reference}" }, ${STATUS.replace("failed: failed", "failed: 410")} }`,
  },
};

/** Takes an order only while it has no other, as with a database that is locked. */
function oneByOne(): Behaviour {
  let busy = 0;
  return {
    placing: () => {
      if (busy > 0) return { status: 500, json: { error: "database is locked" } };
      busy += 1;
      return undefined;
    },
    reply: () => {
      busy -= 1;
      return undefined;
    },
    map: { at_once: "1" },
  };
}

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
  "refuses orders with 200": {
    sound: refusing(),
    mutant: refusing((shop, order) => void shop.send(order)),
    defect: "sends what it refuses",
    caught: ["delivered-shown-failed"],
    faults: ["numbers-of-three-carriers"],
  },
  "answers 410 for an order that failed": {
    sound: removesFailed,
    mutant: { ...removesFailed, receive: keepsTheMoney },
    defect: "keeps the money of orders that fail",
    caught: ["not-refunded"],
    faults: ["result-failed"],
  },
  "takes one order at a time": {
    sound: oneByOne(),
    mutant: { ...oneByOne(), receive: keepsTheMoney },
    defect: "keeps the money of orders that fail",
    caught: ["not-refunded"],
    faults: ["result-failed", "callback-twice", "five-customers-at-once", "numbers-of-three-carriers"],
  },
};
