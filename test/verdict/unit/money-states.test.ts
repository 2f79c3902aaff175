import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import { judgeShared } from "../../../src/verdict/orders/judge-money.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { explainOtherPrice } from "../../../src/verdict/orders/unread-money.ts";
import { PlainOrders } from "../../../src/verdict/trial/plain-orders.ts";
import { accepted, attempted, cut, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const SENT = { order: airtime(50, ORDER.phoneNumber) };
const CHARGE = cents(4_750);

/** What becomes of an order of KES 50. */
const EVENTS = {
  delivered: [accepted("one", 0, SENT), settled("one", 1, { charge: CHARGE }), attempted("one", 2)],
  untold: [accepted("one", 0, SENT), settled("one", 1, { charge: CHARGE })],
  failed: [accepted("one", 0, SENT), settled("one", 1, { outcome: "failed", charge: cents(0) }), attempted("one", 2)],
  refused: [refused("one", 0, { code: 402, ...SENT })],
  cut: [cut("one", 0, SENT)],
} satisfies Readonly<Record<string, readonly AccountEvent[]>>;

interface State {
  readonly claim: Claimed["claim"];
  readonly events: keyof typeof EVENTS;
}

const PAID: State = { claim: "paid", events: "delivered" };
const FAILED: State = { claim: "failed", events: "failed" };
const REFUSED: State = { claim: "failed", events: "refused" };
const UNTOLD: State = { claim: "open", events: "untold" };
const CUT: State = { claim: "open", events: "cut" };

/** What plain orders show of an application that sells at a price. */
function openPlain(price: string): PlainOrders {
  const text = `version: 1
application: http://127.0.0.1:1
order:
  airtime: { request: { url: "{app}/orders", json: { amount: "{amount}" } } }
  sms: { request: { url: "{app}/texts" } }
balance: { request: { url: "{app}/balance" }, json_path: $.balance, price: ${price} }
`;
  const parsed = parseAppMap(text, "kredo.app.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return new PlainOrders(new Application(parsed.map, trialEnvironment()));
}

/** `held` is what a plain order was seen to take before the gateway answered, in cents. */
function shopAt(price: string, held?: number) {
  const plain = openPlain(price);
  if (held !== undefined) plain.noteHeld(ORDER, evidenceOf(ORDER, []).truth, cents(held));
  return (state: State, debited?: number): OrderEvidence => {
    const evidence = evidenceOf(ORDER, EVENTS[state.events], { claimed: { claim: state.claim, said: state.claim } });
    return {
      ...evidence,
      ...plain.compare(ORDER, evidence.truth),
      isPaidFirst: plain.isPaidFirst(ORDER),
      debited: debited === undefined ? evidence.debited : { value: cents(debited) },
    };
  };
}

type Shop = ReturnType<typeof shopAt>;

/** Returns the debits that are right, in steps of half a shilling: "0-5000" for all between. */
function rightDebits(isWrong: (debited: number) => boolean): string {
  const right = new Set(STEPS.filter((debited) => !isWrong(debited)));
  const firsts = [...right].filter((debited) => !right.has(debited - STEP));
  const lasts = [...right].filter((debited) => !right.has(debited + STEP));
  return firsts.map((first, nth) => (first === lasts[nth] ? first : `${first}-${lasts[nth]}`)).join(" ");
}

const STEP = 50;
const STEPS = Array.from({ length: 341 }, (_, nth) => nth * STEP - 5_000);

const MONEY = /wrong-debit|not-refunded|delivered-given-back/;

function ofOne(shop: Shop, state: State): string {
  const order = shop(state);
  const judge = (debited: number) => judgeOrder({ ...order, debited: { value: cents(debited) } }, []);
  return rightDebits((debited) => judge(debited).some(({ id }) => MONEY.test(id)));
}

function ofTotal(shop: Shop, states: readonly State[]): string {
  const orders = states.map((state) => shop(state));
  return rightDebits((debited) => {
    const shared = judgeShared(orders, { value: cents(debited) });
    return shared.imbalance !== undefined || shared.orders.some((order) => "missing" in order.debited);
  });
}

/** For each form of price of KES 50 of airtime: what a paid one costs, and the most that is held for an open one. */
test.each([
  ['"{amount}"', 5_000, 5_000, 5_000],
  ['"{charge}"', 5_000, 4_750, 5_000],
  ['"102% of {charge}"', 5_100, 4_900, 5_100],
  ['"98%"', 4_900, 4_900, 4_900],
  ['"45.00"', 4_500, 4_500, 4_500],
  ["[[50, 48.50]]", 4_850, 4_850, 4_850],
  ['{ per_part: "1.00" }', 5_000, 5_000, 5_000],
])("at the price of %s, each state of an order has its bounds, alone and with others", (form, held, price, most) => {
  const shop = shopAt(form, held);
  // A percentage may be rounded up to whole shillings.
  const upTo = Math.ceil(most / 100) * (form.includes("%") ? 100 : 0) || most;

  expect({
    failed: ofOne(shop, FAILED),
    refused: ofOne(shop, REFUSED),
    cut: ofOne(shop, CUT),
    failedWithOther: ofTotal(shop, [FAILED, REFUSED]),
    openWithFailed: ofTotal(shop, [CUT, FAILED]),
    bothOpen: ofTotal(shop, [CUT, CUT]),
  }).toEqual({
    failed: "0",
    refused: "0",
    cut: `0-${upTo}`,
    failedWithOther: "0",
    // Between, the sum says nothing of the one that failed.
    openWithFailed: `0 ${most}`,
    bothOpen: `0-${2 * upTo}`,
  });
  expect(ofOne(shop, PAID).split(" ")).toContain(String(price));
  expect(ofTotal(shop, [PAID, FAILED]).split(" ")).toContain(String(price));
});

test("an open order that was delivered is paid for where plain ones are paid first, alone and with others", () => {
  const shop = shopAt('"{amount}"', 5_000);

  expect(ofOne(shop, UNTOLD)).toBe("50-5000");
  expect(ofTotal(shop, [UNTOLD, PAID])).toBe("10000");
  expect(ofTotal(shopAt('"{amount}"', 0), [UNTOLD, PAID])).toBe("5000 10000");
});

test("three debits for an open order, and money for one that was not delivered, are a wrong debit", () => {
  const shop = shopAt('"{amount}"', 5_000);
  const idsOf = (debited: number): string[] => judgeOrder(shop(CUT, debited), []).map(({ is, id }) => `${is} ${id}`);

  expect(idsOf(15_000)).toEqual(["defect wrong-debit"]);
  expect(idsOf(-5_000)).toEqual(["defect wrong-debit"]);
  expect(judgeShared([shop(CUT), shop(PAID)], { value: cents(15_000) }).imbalance).toMatchObject({
    id: "wrong-debit",
    seen: expect.stringContaining("was debited KES 150.00 instead of at most 100.00 for 2 orders on one balance"),
  });
});

test.each([
  [10_000, "0-10000"],
  [5_000, "0-5000"],
  [0, "0-5000"],
])("what a plain order holds, KES %i cents, is no wrong debit of another while it is open", (held, right) => {
  expect(ofOne(shopAt('"{amount}"', held), CUT)).toBe(right);
});

test("what a plain SMS holds is no wrong debit either, once its price was learnt", () => {
  const plain = openPlain('"{amount}"');
  const sms = { ...ORDER, operation: "sms", message: "Hi" } as const;
  const evidence = evidenceOf(sms, [], { debited: { value: cents(100) } });
  const before = plain.compare(sms, evidence.truth).mostHeld;
  plain.noteHeld(sms, evidence.truth, cents(600));
  plain.learn(evidence);

  expect([before, plain.compare(sms, evidence.truth).mostHeld]).toEqual([undefined, 600]);
});

test("what is held for an open order is not assessed where no plain order showed it, and a credit is wrong all the same", () => {
  const shop = shopAt('"{charge}"');
  const verdictOf = (debited: number) => judgeOrder(shop(CUT, debited), []).map(({ is, id }) => `${is} ${id}`);

  expect(verdictOf(5_000)).toEqual(["open order"]);
  expect(verdictOf(6_000)).toEqual(["open order", "not assessed wrong-debit"]);
  expect(verdictOf(-100)).toEqual(["defect wrong-debit"]);
  const shared = judgeShared([shop(CUT), shop(FAILED)], { value: cents(6_000) });
  expect(shared.orders.flatMap((order) => judgeOrder(order, [])).map(({ seen }) => seen)).toContainEqual(
    expect.stringMatching(/^the customer's balance tells nothing: the customer was debited KES 60.00 instead of/),
  );
  expect(shared).toMatchObject({
    imbalance: undefined,
    orders: [
      { debited: { missing: expect.stringContaining("was not seen") } },
      { debited: { missing: expect.any(String) } },
    ],
  });
});

test("the kept money of a failed order is told as that, also where the gateway charged nothing", () => {
  const shop = shopAt('"{charge}"', 5_000);

  expect(judgeShared([shop(PAID), shop(FAILED)], { value: cents(9_750) }).imbalance?.id).toBe("not-refunded");
  expect(judgeShared([shop(PAID), shop(FAILED)], { value: cents(-250) }).imbalance?.id).toBe("wrong-debit");
});

test.each<State>([PAID, FAILED, UNTOLD])(
  "a balance that was not read leaves the money of an order unassessed: %j",
  (state) => {
    const [, unread] = judgeOrder({ ...shopAt('"{amount}"', 5_000)(state), debited: { missing: "answered 429" } }, []);

    expect(unread).toMatchObject({
      is: "not assessed",
      id: "wrong-debit",
      seen: "the customer's balance tells nothing: answered 429",
    });
  },
);

test("a shared balance that was not read leaves each of its orders unassessed", () => {
  const shop = shopAt('"{amount}"', 5_000);
  const { orders, imbalance } = judgeShared([shop(PAID), shop(CUT)], { missing: "answered 500" });

  expect(imbalance).toBeUndefined();
  expect(orders.map(({ debited }) => debited)).toEqual([{ missing: "answered 500" }, { missing: "answered 500" }]);
});

test("a balance that the map does not describe is nothing missing", () => {
  expect(judgeOrder(shopAt('"{amount}"')(PAID), []).map(({ is }) => is)).toEqual(["right"]);
});

test.each([
  ['"{amount}"', 5_000, undefined],
  ['"{amount}"', 500_000, "balance: { unit: cents };"],
  ['"{amount}"', -5_000, "balance: { owed: true };"],
  ['"{amount}"', -500_000, "balance: { unit: cents, owed: true };"],
  ['"{charge}"', 475_000, "balance: { unit: cents };"],
  ['"97%"', -4_850, "balance: { owed: true };"],
  ['"{amount}"', 5_500, 'balance: { price: "110%" };'],
  ['"{amount}"', -2_000, "Correct the application, balance in the app map,"],
  ['"{amount}"', 0, "Correct the application, balance in the app map,"],
  ["[[60, 58.50]]", -5_000, "balance: { owed: true };"],
  ["[[60, 58.50]]", 5_000, undefined],
])("a plain order at %s that took %i cents has this proposed: %s", (price, debited, proposed) => {
  const told = explainOtherPrice(shopAt(price, debited)(PAID, debited));

  expect(told?.includes(proposed ?? "nothing")).toBe(proposed === undefined ? undefined : true);
});

test.each([
  [0, undefined],
  [5_000, undefined],
  [500_000, "balance: { unit: cents };"],
  [-5_000, "balance: { owed: true };"],
])("a plain order that stays open and took %i cents has this proposed: %s", (debited, proposed) => {
  const told = explainOtherPrice(shopAt('"{amount}"', debited)(UNTOLD, debited));

  expect(told?.includes(proposed ?? "nothing")).toBe(proposed === undefined ? undefined : true);
});

test("a sum that is as it may be leaves the money of what has one price unassessed beside an open order", () => {
  const shop = shopAt('"{amount}"', 5_000);
  const debited = (sum: number) =>
    judgeShared([shop(CUT), shop(PAID)], { value: cents(sum) }).orders.map((one) => one.debited);

  expect(debited(10_000)).toEqual([{ value: 5_000 }, { value: 5_000 }]);
  expect(debited(7_000)).toEqual([
    { unasked: "the balance is shared with another order" },
    { missing: "it is shared with an order of which it may have taken more or less" },
  ]);
});
