import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { Order } from "../../../src/gateway/domain/order.ts";
import { type AppMap, parseAppMap } from "../../../src/verdict/application/app-map.ts";
import type { ApplicationOrder } from "../../../src/verdict/application/placed-order.ts";
import {
  differenceOf,
  explainAmbiguous,
  explainParts,
  partOf,
  partsAsked,
  wantedOf,
} from "../../../src/verdict/orders/delivery.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { judgeTotal, shareTotal } from "../../../src/verdict/orders/judge-money.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { readOrderTruth } from "../../../src/verdict/orders/order-truth.ts";
import { findOfOrder } from "../../../src/verdict/checks/findings.ts";
import {
  accepted,
  appliedRules,
  attempted,
  cut,
  failOn,
  refused,
  reversed,
  settled,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const [FIRST, SECOND] = ["254712345678", "254712345679"];

/** What becomes of one request. `unsent` is none. */
type Fate = "delivered" | "failed" | "refused" | "lost" | "cut" | "stuck" | "reversed" | "unsent";

function eventsOf(fate: Fate, id: string, order: Order): AccountEvent[] {
  const charge = "amount" in order ? cents(Math.round(order.amount * 0.95)) : cents(80);
  const told = [settled(id, 1, { charge }), attempted(id, 1)];
  const events: Record<Fate, AccountEvent[]> = {
    delivered: [accepted(id, 0, { order }), ...told],
    failed: [accepted(id, 0, { order }), settled(id, 1, { outcome: "failed" }), attempted(id, 1)],
    refused: [refused(id, 0, { order, code: 422 })],
    lost: [accepted(id, 0, { order, rules: appliedRules({ breakage: "reset" }) }), ...told],
    cut: [cut(id, 0, { order })],
    stuck: [accepted(id, 0, { order, plan: { ...accepted(id, 0).plan, settleAfter: "never" } })],
    reversed: [accepted(id, 0, { order }), ...told, reversed(id, 2)],
    unsent: [],
  };
  return events[fate];
}

function mapWith(delivers: string): AppMap {
  const parsed = parseAppMap(
    `version: 1
application: http://127.0.0.1:3000
order:
  airtime: { request: { url: "{app}/airtime", json: { to: "{phone_number}", amount: "{amount}" } } }
  sms: { recipients: 2, request: { url: "{app}/sms", json: { to: "{phone_numbers}", text: "{message}" } } }
${delivers}`,
    "kredo.app.yaml",
  );
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.map;
}

interface Sold {
  readonly placed: ApplicationOrder;
  /** What becomes of each request. */
  readonly sold: readonly (readonly [Order, Fate])[];
  /** How many requests a plain order takes for each number. */
  readonly requests: number;
  readonly delivers?: string;
  readonly claim: "paid" | "failed" | "open";
  /** In shillings; undefined where the map has no balance. */
  readonly debited?: number | undefined;
  readonly price: number;
}

function evidenceOf({ placed, sold, requests, delivers = "", claim, debited, price }: Sold): OrderEvidence {
  const map = mapWith(delivers);
  const events = sold.flatMap(([order, fate], nth) => eventsOf(fate, `request-${nth}`, order));
  const own = events.filter(isRequestEvent);
  const sent = partsAsked(
    placed,
    sold.map(([order]) => order),
    map,
  );
  const truth = readOrderTruth(events, own, wantedOf(placed, requests, map, sent));
  const part = partOf(placed, truth, requests, map);
  return {
    placed: { ...placed, reply: { kind: "answered", status: 201, text: "{}" } },
    asked: 1,
    truth,
    claimed: { claim, said: claim },
    part,
    requests: Math.max(requests, sent?.texts.length ?? 1),
    unsaid: sent && explainParts(placed, sent, map),
    difference: part === undefined ? differenceOf(placed, truth.delivered, map) : undefined,
    debited: debited === undefined ? { unasked: "the app map has no balance" } : { value: cents(debited * 100) },
    isPaidFirst: true,
    mayRetry: false,
    price: cents(price * 100),
    books: { missing: "the app map has no books" },
    findings: findOfOrder({ first: 1, events }, own, failOn),
  };
}

function verdictsOf(order: OrderEvidence): string[] {
  return judgeOrder(order, []).map(({ is, id }) => `${is} ${id}`);
}

const AIRTIME = { operation: "airtime", phoneNumber: FIRST, amount: 100, message: "", reference: "r1" } as const;
const SMS = { ...AIRTIME, operation: "sms", recipients: [SECOND], message: "Hi" } as const;

/** KES 100 of airtime, sent as 60 and 40 (or as 50 and 50). */
function inParts(fates: readonly Fate[], claim: Sold["claim"], debited?: number, shares = [60, 40, 60]): OrderEvidence {
  const sold = fates.map((fate, nth) => [airtime(shares[nth] ?? 0), fate] as const);
  return evidenceOf({ placed: AIRTIME, sold, requests: 2, claim, debited, price: 100 });
}

test.each<[string, OrderEvidence, string]>([
  ["both arrive", inParts(["delivered", "delivered"], "paid", 100), "right order"],
  ["both fail", inParts(["failed", "failed"], "failed", 0), "right order"],
  ["one fails, and its money comes back; shown as paid", inParts(["delivered", "failed"], "paid", 60), "right order"],
  [
    "one fails, and its money comes back; shown as failed",
    inParts(["failed", "delivered"], "failed", 40),
    "right order",
  ],
  ["one is refused, and its money comes back", inParts(["refused", "delivered"], "failed", 40), "right order"],
  ["one fails, and a person decides", inParts(["delivered", "failed"], "open", 100), "open order"],
  [
    "one fails, and a person decides about money given back",
    inParts(["delivered", "failed"], "open", 60),
    "open order",
  ],
  ["one fails, and something between comes back", inParts(["delivered", "failed"], "failed", 75), "open order"],
  ["one fails, and nothing tells what it took", inParts(["delivered", "failed"], "paid"), "open order"],
  ["one fails, and nothing tells what came back", inParts(["delivered", "failed"], "failed"), "open order"],
  ["one fails, and all is paid for", inParts(["delivered", "failed"], "paid", 100), "defect delivered-something-else"],
  ["one fails, and all is given back", inParts(["delivered", "failed"], "failed", 0), "defect delivered-shown-failed"],
  [
    "one fails, and all is kept for a failed order",
    inParts(["failed", "delivered"], "failed", 100),
    "defect not-refunded",
  ],
  [
    "one fails, all is given back, and it stays open",
    inParts(["failed", "delivered"], "open", 0),
    "defect delivered-given-back",
  ],
  ["one has no result, and all is paid for", inParts(["delivered", "stuck"], "paid", 100), "defect paid-too-early"],
  ["one has no result, and it stays open", inParts(["delivered", "stuck"], "open", 100), "open order"],
  ["one is lost, and it stays open", inParts(["lost", "delivered"], "open", 100), "open order"],
  [
    "one is lost, though delivered, and all is given back",
    inParts(["lost", "delivered"], "failed", 0),
    "defect delivered-shown-failed",
  ],
  ["one is cut, and it stays open", inParts(["cut", "delivered"], "open", 100), "open order"],
  ["one is cut, and its money is kept for a failed order", inParts(["cut", "delivered"], "failed", 100), "open order"],
  ["one is never sent, and it stays open", inParts(["delivered", "unsent"], "open", 100), "open order"],
  [
    "one is never sent, and all is paid for",
    inParts(["delivered", "unsent"], "paid", 100),
    "defect delivered-something-else",
  ],
  ["one is taken back", inParts(["delivered", "reversed"], "paid", 100), "open order"],
  ["one is sent again after silence", inParts(["lost", "delivered", "delivered"], "paid", 100), "defect sold-twice"],
  ["one is sent again after a refusal", inParts(["refused", "delivered", "delivered"], "paid", 100), "right order"],
  ["both are alike", inParts(["delivered", "delivered"], "paid", 100, [50, 50]), "right order"],
  ["both are alike, and one is lost", inParts(["lost", "delivered"], "open", 100, [50, 50]), "open order"],
  [
    "both are alike, and one is sent again after silence",
    inParts(["lost", "delivered", "delivered"], "paid", 100, [50, 50, 50]),
    "defect sold-twice",
  ],
])("an order of two parts of which %s", (_what, order, verdict) => {
  expect(verdictsOf(order)).toEqual([verdict]);
});

/** KES 100 of airtime and a bonus of 10. */
function withBonus(fates: readonly Fate[], claim: Sold["claim"], debited?: number): OrderEvidence {
  const sold = fates.map((fate, nth) => [airtime(nth === 0 ? 100 : 10), fate] as const);
  const delivers = 'delivers: { amount: "110%" }';
  return evidenceOf({ placed: AIRTIME, sold, requests: 2, delivers, claim, debited, price: 100 });
}

test.each<[string, OrderEvidence, string]>([
  ["both arrive", withBonus(["delivered", "delivered"], "paid", 100), "right order"],
  ["the bonus fails, and the top-up is paid for", withBonus(["delivered", "failed"], "paid", 100), "right order"],
  [
    "the bonus is never sent, and the top-up is paid for",
    withBonus(["delivered", "unsent"], "paid", 100),
    "right order",
  ],
  ["only the bonus arrives", withBonus(["failed", "delivered"], "failed", 0), "right order"],
  [
    "only the bonus arrives, and all is paid for",
    withBonus(["failed", "delivered"], "paid", 100),
    "defect delivered-something-else",
  ],
  [
    "the bonus fails, and all is given back",
    withBonus(["delivered", "failed"], "failed", 0),
    "defect delivered-shown-failed",
  ],
  ["the bonus is sent twice", withBonus(["delivered", "lost", "delivered"], "paid", 100), "defect sold-twice"],
])("a top-up and its bonus, of which %s", (_what, order, verdict) => {
  expect(verdictsOf(order)[0]).toBe(verdict);
});

/** An SMS to two recipients for KES 3. */
function toTwo(fates: readonly Fate[], claim: Sold["claim"], debited?: number): OrderEvidence {
  const sold = fates.map((fate, nth) => [sms("Hi", nth === 1 ? SECOND : FIRST), fate] as const);
  return evidenceOf({ placed: SMS, sold, requests: 1, claim, debited, price: 3 });
}

test.each<[string, OrderEvidence, string]>([
  ["reaches both", toTwo(["delivered", "delivered"], "paid", 3), "right order"],
  ["reaches one, and the other is given back", toTwo(["failed", "delivered"], "failed", 1.5), "right order"],
  ["reaches one, and both are paid for", toTwo(["failed", "delivered"], "paid", 3), "defect paid-never-delivered"],
  [
    "reaches one, and both are given back",
    toTwo(["failed", "delivered"], "failed", 0),
    "defect delivered-shown-failed",
  ],
  ["reaches one, and a person decides", toTwo(["refused", "delivered"], "open", 3), "open order"],
  ["reaches nobody", toTwo(["failed", "refused"], "failed", 0), "right order"],
  ["reaches nobody, and is paid for", toTwo(["failed", "failed"], "paid", 3), "defect paid-never-delivered"],
  ["reaches one twice and the other not", toTwo(["lost", "failed", "delivered"], "paid", 3), "defect sold-twice"],
])("an SMS to two recipients that %s", (_what, order, verdict) => {
  expect(verdictsOf(order)[0]).toBe(verdict);
});

const TEXTS = ["(1/3) Habari Amina, ", "(2/3) agizo lako liko ", "(3/3) tayari kuchukuliwa"];
const LONG = { ...AIRTIME, operation: "sms", message: "Habari Amina, agizo lako liko tayari kuchukuliwa" } as const;

/** An SMS of three parts for KES 3; `sent` are their places, each with its fate. */
function inTexts(
  sent: readonly (readonly [number, Fate])[],
  claim: Sold["claim"],
  debited?: number,
  delivers = "delivers: { message: parts }",
): OrderEvidence {
  const sold = sent.map(([nth, fate]) => [sms(TEXTS[nth] ?? "", FIRST), fate] as const);
  return evidenceOf({ placed: LONG, sold, requests: 1, delivers, claim, debited, price: 3 });
}

const ALL = [0, 1, 2].map((nth) => [nth, "delivered"] as const);

test.each<[string, OrderEvidence, string]>([
  ["all arrive", inTexts(ALL, "paid", 3), "right order"],
  ["all arrive in another order", inTexts([...ALL].toReversed(), "paid", 3), "right order"],
  ["all arrive, shown as failed", inTexts(ALL, "failed", 0), "defect delivered-shown-failed"],
  ["one arrives twice", inTexts([...ALL, [1, "delivered"]], "paid", 3), "defect sold-twice"],
  [
    "one arrives twice, and another fails",
    inTexts(
      [
        [0, "delivered"],
        [1, "delivered"],
        [2, "failed"],
        [0, "delivered"],
      ],
      "open",
      3,
    ),
    "defect sold-twice",
  ],
  ["one is sent again after a refusal", inTexts([[0, "refused"], ...ALL], "paid", 3), "right order"],
  ["one is never sent", inTexts(ALL.slice(0, 2), "paid", 3), "defect delivered-something-else"],
  ["one is never sent, and it stays open", inTexts(ALL.slice(0, 2), "open", 3), "open order"],
  ["one fails, and its money comes back", inTexts([...ALL.slice(0, 2), [2, "failed"]], "paid", 2), "right order"],
  [
    "one fails, and all is paid for",
    inTexts([...ALL.slice(0, 2), [2, "failed"]], "paid", 3),
    "defect delivered-something-else",
  ],
  [
    "one fails, and all is given back",
    inTexts([...ALL.slice(0, 2), [2, "refused"]], "failed", 0),
    "defect delivered-shown-failed",
  ],
  ["one fails, and a person decides", inTexts([...ALL.slice(0, 2), [2, "failed"]], "open", 3), "open order"],
  ["all arrive, if the map does not say so", inTexts(ALL, "paid", 3, ""), "not assessed order"],
  [
    "all arrive, if the map says something else",
    inTexts(ALL, "paid", 3, "delivers: { message: contains }"),
    "not assessed order",
  ],
])("an SMS in three parts of which %s", (_what, order, verdict) => {
  expect(verdictsOf(order)[0]).toBe(verdict);
});

test("a customer got an SMS in parts, and one that is sold again so many times", () => {
  const got = [ALL, [...ALL, ...ALL.slice(0, 1)]].map((sent) => judgeOrder(inTexts(sent, "paid"), [])[0]?.truths?.got);

  expect(got).toEqual(["the SMS in 3 parts", "the SMS 4 times"]);
});

test("parts that the map does not name are told with both sides", () => {
  expect(inTexts(ALL, "paid", 3, "").unsaid).toBe(
    'Your customer ordered one SMS of 48 characters; the gateway got 3 requests with a part of it each, from "(1/3) Habari Amina, " to "(3/3) tayari kuchukuliwa" (an sms order to 254712345678). If that is meant, say so in the app map: delivers: { message: parts }; otherwise correct the application.',
  );
});

test.each<[string, OrderEvidence, string | undefined]>([
  ["in two parts", inParts(["delivered", "delivered"], "paid"), undefined],
  [
    "twice",
    evidenceOf({
      placed: AIRTIME,
      sold: [
        [airtime(100), "delivered"],
        [airtime(100), "delivered"],
      ],
      requests: 1,
      claim: "paid",
      price: 100,
    }),
    "Your customer ordered KES 100; the gateway delivered KES 200.00 in 2 requests",
  ],
  [
    "with a bonus",
    evidenceOf({
      placed: AIRTIME,
      sold: [
        [airtime(100), "delivered"],
        [airtime(10), "delivered"],
      ],
      requests: 1,
      claim: "paid",
      price: 100,
    }),
    "Your customer ordered KES 100; the gateway delivered KES 110.00 in 2 requests",
  ],
])("a plain order that is sold %s", (_what, order, said) => {
  expect(explainAmbiguous(order, mapWith(""))?.split(" (")[0]).toBe(said);
  expect(explainAmbiguous(order, mapWith('delivers: { amount: "200%" }'))).toBeUndefined();
});

const PARTLY = inParts(["delivered", "failed"], "paid");
const WHOLE = inParts(["delivered", "delivered"], "paid");

test.each([
  ["what arrived", 160, undefined],
  ["nothing for the part", 100, undefined],
  ["everything for the part", 200, undefined],
  ["less than the order that arrived", 99, "the customer was debited KES 99.00 instead of at least 100.00"],
  ["more than both", 201, "the customer was debited KES 201.00 instead of at most 200.00"],
])("orders on one balance, of one of which a part arrived, that took %s", (_what, debited, said) => {
  expect(judgeTotal([WHOLE, PARTLY], cents(debited * 100))?.seen.split(" for ")[0]).toBe(said);
});

test("a total tells what a part was debited only if it is exact", () => {
  const shared = shareTotal([WHOLE, PARTLY], cents(16_000));

  expect(shared?.map(({ debited }) => debited)).toEqual([{ value: 10_000 }, { value: 6_000 }]);
  expect(shareTotal([WHOLE, PARTLY], cents(20_000))).toBeUndefined();
});
