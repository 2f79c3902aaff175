import { type Behaviour, type SmallCallback, type SmallShop, soundly } from "../../verdict/small-shop.ts";

// What a small shop takes while an order is open, keeps of one that failed, and how it shows its balance.

/** Lines of an app map whose balance has these keys besides. */
export function balanceWith(keys: string): Behaviour["map"] {
  return { balance: `{ request: { url: "{app}/balance" }, json_path: $.balance${keys} }` };
}

/** Holds the amount of an open order, and gives back what the gateway charged less. */
const paysTheCharge = (shop: SmallShop, callback: SmallCallback) => {
  const order = shop.byRequest.get(callback.request_id);
  if (order?.status === "open" && callback.result_code === 200)
    shop.balance = Math.round((shop.balance + order.amount - callback.charge) * 100) / 100;
  shop.receive(callback);
  return { status: 200 };
};

const DEPOSIT = 500;

/** Holds a deposit beside the price until an order is decided. */
export const HOLDS_A_DEPOSIT: Behaviour = {
  placing: (shop) => {
    shop.balance -= DEPOSIT;
    return undefined;
  },
  answered: (shop, order, code) => {
    soundly(shop, order, code);
    if (order.status !== "open") shop.balance += DEPOSIT;
  },
  receive: (shop, callback) => {
    const wasOpen = shop.byRequest.get(callback.request_id)?.status === "open";
    shop.receive(callback);
    if (wasOpen) shop.balance += DEPOSIT;
    return { status: 200 };
  },
};

export const CHARGES: Behaviour = { receive: paysTheCharge, map: balanceWith(', price: "{charge}"') };

export const CHARGES_AND_REFUNDS_TWICE: Behaviour = {
  ...CHARGES,
  receive: (shop, callback) => {
    const answer = paysTheCharge(shop, callback);
    const order = shop.byRequest.get(callback.request_id);
    if (order?.status === "failed") shop.balance += order.amount;
    return answer;
  },
};

/** Takes the price twice more for an order without an answer. */
export const DEBITS_AFTER_SILENCE: Behaviour["answered"] = (shop, order, code) => {
  if (code === undefined) shop.balance -= 2 * order.amount;
  soundly(shop, order, code);
};

/** Gives the money of an order without an answer back twice, and leaves it open. */
export const CREDITS_AFTER_SILENCE: Behaviour["answered"] = (shop, order, code) => {
  if (code === undefined) shop.balance += 2 * order.amount;
  soundly(shop, order, code);
};

export const NEVER_REFUNDS: Behaviour["receive"] = (shop, callback) => {
  const { balance } = shop;
  shop.receive(callback);
  shop.balance = balance;
  return { status: 200 };
};

/** Says what the customer owes, in cents. */
export const OWED_IN_CENTS: Behaviour["balance"] = ({ balance }) => ({
  status: 200,
  json: { balance: (1_000_000 - balance) * 100 },
});

/** Adds in binary fractions: 1018.9499999999999. */
export const WITH_NOISE: Behaviour["balance"] = ({ balance }) => ({
  status: 200,
  json: { balance: balance - 1_000_000 + 1_018.95 - 1.1e-13 },
});

/** Refuses each second question, or all but the first so many. */
export function limited(most?: number): Behaviour["balance"] {
  let asked = 0;
  return ({ balance }) => {
    asked += 1;
    const isLimited = most === undefined ? asked % 2 === 0 : asked > most;
    return isLimited ? { status: 429 } : { status: 200, json: { balance } };
  };
}
