import type { Behaviour } from "../../verdict/small-shop.ts";

/** How a shop answers, and what its map says of that: one that loses no money, and what it does with a defect. */
export interface AnswersPair {
  readonly sound: Behaviour;
  readonly mutant: Behaviour;
  /** What the mutant does. */
  readonly defect: string;
  /** The ids of what an exploration finds, one of which must be found. */
  readonly caught: readonly string[];
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

export const PAIRS: Readonly<Record<string, AnswersPair>> = {
  "answers 504 where it does not know": {
    sound: saysUnknown,
    mutant: rollsBack,
    defect: "forgets an order without an answer, and answers 500",
    caught: ["delivered-shown-failed"],
    faults: ["reset-after-accept", "result-failed"],
  },
};
