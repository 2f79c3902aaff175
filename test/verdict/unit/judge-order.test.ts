import { expect, test } from "vitest";
import { PLACED_TOO_LATE } from "../../../src/verdict/trial/placing.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import type { PlacedOrder } from "../../../src/verdict/application/placed-order.ts";
import type { Finding } from "../../../src/verdict/checks/finding.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { readRequest } from "../../../src/gateway/account/readings/request.ts";
import { readSale } from "../../../src/gateway/account/readings/sale.ts";
import type { OrderTruth } from "../../../src/verdict/orders/order-truth.ts";
import {
  accepted,
  answered,
  appliedRules,
  attempted,
  callback,
  refused,
  request,
  settled,
  unread,
} from "../../support/finding-events.ts";

const PRICE = cents(10_000);
const CHARGE = cents(9_500);

const PLACED: PlacedOrder = {
  operation: "airtime",
  phoneNumber: "254712345678",
  amount: 100,
  message: "Hi",
  reference: "r1",
  reply: { kind: "answered", status: 201, text: "{}" },
};

const PAID = { claim: "paid", said: "done" } as const;
const FAILED = { claim: "failed", said: "refunded" } as const;
const OPEN = { claim: "open", said: "pending" } as const;
/** What the application shows of no order about which it was told nothing. */
const PROVEN = { isProvenTold: true } as const;

const ARRIVED = { phoneNumber: PLACED.phoneNumber, amount: PRICE };
const DELIVERED: Partial<OrderTruth> = { accepted: 1, delivered: [ARRIVED], charged: CHARGE };
const REVERSED: Partial<OrderTruth> = { accepted: 1, reversed: 1, refunded: CHARGE };
const NOT_DELIVERED: Partial<OrderTruth> = { accepted: 1 };
const REFUSED: Partial<OrderTruth> = { requests: [refused("one", 0, { code: 402 })] };
const UNTOLD: Partial<OrderTruth> = { ...DELIVERED, isNotified: false };
const UNASKED = { claim: "not asked", said: "the app map has no status" } as const;
const SILENT = { claim: "no answer", said: "no answer" } as const;
const UNPAID = { debited: { value: NO_MONEY } } as const;
/** Money that is held for an order which is not tried again. */
const LEFT = { debited: { value: PRICE }, mayRetry: false } as const;
const FAILING: Partial<OrderTruth> = { requests: [refused("one", 0, { code: 500 })] };
const INVALID: Partial<OrderTruth> = { requests: [refused("one", 0, { code: 422 })] };

const MISLEADING = { ack: { delay: 0, status: 429, body: '{"status_code":429}' } };
const MISLED: Partial<OrderTruth> = { requests: [accepted("one", 0, { rules: appliedRules(MISLEADING) })] };

/** An order whose placing was not answered in time, and which is found only by the id in that answer. */
function unanswered(truth: Partial<OrderTruth>): OrderEvidence {
  return evidence({ ...SILENT, isEnded: false }, truth, { placed: { ...PLACED, reply: PLACED_TOO_LATE } });
}

/** An order of KES 100 that cost KES 95; by default, nothing tells what it took from the customer. */
function evidence(
  claimed: Claimed,
  truth: Partial<OrderTruth>,
  changes: Partial<Omit<OrderEvidence, "truth">> = {},
): OrderEvidence {
  const { requests = [accepted("one", 0)], delivered = [] } = truth;
  const readings = requests.map((event) => readRequest(event));
  const nothing: OrderTruth = {
    ...readSale([]),
    asked: requests.length,
    sold: delivered.length,
    isSoldTwice: delivered.length > (changes.asked ?? 1),
    isSoldAgain: delivered.length > 1,
    isNotified: true,
    requests,
    readings,
    milestones: [],
    callbacks: [],
    waitsForever: false,
  };
  return {
    placed: PLACED,
    asked: 1,
    truth: { ...nothing, ...truth },
    claimed,
    debited: { unasked: "the app map has no balance" },
    price: PRICE,
    books: { missing: "the app map has no books" },
    findings: [],
    ...changes,
  };
}

function verdictsOf(order: OrderEvidence): string[] {
  return judgeOrder(order, []).map(({ is, id }) => `${is} ${id}`);
}

test.each<[string, OrderEvidence, string]>([
  ["paid and delivered", evidence(PAID, DELIVERED), "right order"],
  ["failed and not delivered", evidence(FAILED, NOT_DELIVERED), "right order"],
  ["failed and refused", evidence(FAILED, REFUSED), "right order"],
  ["failed and delivered", evidence(FAILED, DELIVERED), "defect delivered-shown-failed"],
  ["paid and not delivered", evidence(PAID, NOT_DELIVERED), "defect paid-never-delivered"],
  ["paid without a result to come", evidence(PAID, { accepted: 1, neverSettles: true }), "defect paid-too-early"],
  ["open, though told of its delivery", evidence(OPEN, DELIVERED), "defect outcome-lost"],
  ["open, told that it failed, and shown to know", evidence(OPEN, NOT_DELIVERED, PROVEN), "risk held-after-failure"],
  ["open, told of its delivery, and shown to know", evidence(OPEN, DELIVERED, PROVEN), "defect outcome-lost"],
  ["open, told that it failed", evidence(OPEN, NOT_DELIVERED), "defect outcome-lost"],
  ["reversed and failed", evidence(FAILED, REVERSED), "right order"],
  ["reversed and still paid", evidence(PAID, REVERSED), "open order"],
  ["reversed and open, though told so", evidence(OPEN, REVERSED), "open order"],
  [
    "reversed, sent again and failed",
    evidence(FAILED, { ...REVERSED, delivered: [ARRIVED] }),
    "defect delivered-shown-failed",
  ],
  ["open, though told of its refusal", evidence(OPEN, REFUSED), "risk refused-left-open"],
  ["open and paid for, after a last 422", evidence(OPEN, INVALID, LEFT), "defect refused-left-open"],
  [
    "open and paid for, and may be tried again",
    evidence(OPEN, INVALID, { ...LEFT, mayRetry: true }),
    "risk refused-left-open",
  ],
  ["open and paid for, after a last 402", evidence(OPEN, REFUSED, LEFT), "defect refused-left-open"],
  ["open and paid for, after a last 500", evidence(OPEN, FAILING, LEFT), "defect refused-left-open"],
  [
    "open and paid for, refused, and shown to know",
    evidence(OPEN, REFUSED, { ...LEFT, ...PROVEN }),
    "risk refused-left-open",
  ],
  [
    "open and given back, though delivered",
    evidence(OPEN, UNTOLD, { ...UNPAID, isPaidFirst: true }),
    "defect delivered-given-back",
  ],
  ["open and not paid for yet", evidence(OPEN, UNTOLD, { ...UNPAID, isPaidFirst: false }), "open order"],
  [
    "paid, and for another amount than was delivered",
    evidence(PAID, DELIVERED, { difference: { of: "amount", ordered: "KES 20", delivered: "KES 2000.00" } }),
    "defect delivered-something-else",
  ],
  [
    "open, though it was told of its delivery before a restart",
    evidence(OPEN, DELIVERED, { wasToldBeforeRestart: true }),
    "defect callback-not-kept",
  ],
  ["open while nobody told it", evidence(OPEN, UNTOLD), "open order"],
  ["not asked", evidence({ claim: "not asked", said: "the app map has no status" }, DELIVERED), "not assessed order"],
  ["delivered twice", evidence(PAID, { accepted: 2, delivered: [ARRIVED, ARRIVED] }), "defect sold-twice"],
  [
    "placed twice with one reference and delivered twice",
    evidence(PAID, { delivered: [ARRIVED, ARRIVED] }, { asked: 2, isOneReference: true }),
    "risk ordered-twice",
  ],
  [
    "placed twice without a reference and delivered twice",
    evidence(PAID, { delivered: [ARRIVED, ARRIVED] }, { asked: 2 }),
    "right order",
  ],
  ["placed twice and delivered once", evidence(PAID, DELIVERED, { asked: 2 }), "right order"],
  [
    "placed twice and delivered three times",
    evidence(PAID, { delivered: [ARRIVED, ARRIVED, ARRIVED] }, { asked: 2 }),
    "defect sold-twice",
  ],
  ["accepted and answered with a refusal", evidence(OPEN, { ...MISLED, delivered: [ARRIVED] }), "open misled"],
  ["sold twice because of that", evidence(PAID, { ...MISLED, delivered: [ARRIVED, ARRIVED] }), "open misled"],
  ["never timed out", evidence(PAID, { ...DELIVERED, waitsForever: true }), "defect waits-forever"],
  ["without an answer in time", evidence({ ...SILENT, isEnded: false }, DELIVERED), "defect no-answer"],
  ["refused, and tried for ever", evidence(OPEN, REFUSED, { isTriedForever: true }), "defect tried-forever"],
  ["refused and tried for ever, unasked", evidence(UNASKED, REFUSED, { isTriedForever: true }), "defect tried-forever"],
  ["refused and failed with its last try", evidence(FAILED, REFUSED, { isTriedForever: true }), "right order"],
  ["not answered though it was told", unanswered({ ...DELIVERED, asked: 1 }), "defect no-answer"],
  ["not answered though it asks nobody", unanswered({ asked: 0, isNotified: false }), "defect no-answer"],
  ["not answered while it waits for its result", unanswered({ ...UNTOLD, asked: 1 }), "not assessed order"],
  ["not answered while it is tried again", unanswered({ ...DELIVERED, asked: 2 }), "not assessed order"],
  [
    "of an application that ended",
    evidence({ ...SILENT, isEnded: true }, { delivered: [ARRIVED, ARRIVED] }),
    "defect stops-answering",
  ],
])("an order that is %s: %s", (_what, order, verdict) => {
  expect(verdictsOf(order)).toEqual([verdict]);
});

test("what the application says, what the customer got and paid, and what proves it", () => {
  const truth = { ...DELIVERED, callbacks: [attempted("one", 1)] };

  const [verdict] = judgeOrder(evidence(PAID, truth, { debited: { value: PRICE } }), []);

  expect(verdict).toMatchObject({
    seen: "the customer was debited KES 100.00; the gateway got 1 request, accepted 1 and delivered 1",
    truths: { says: "done", got: "KES 100.00", paid: "KES 95.00" },
    exchanges: [
      { kind: "request", request_id: "one" },
      { kind: "callback", request_id: "one", attempt: 1 },
    ],
  });
});

const PLACED_SMS = { placed: { ...PLACED, operation: "sms" } } as const;

test.each([
  ["failed", evidence(FAILED, NOT_DELIVERED), { says: "refunded", got: "nothing", paid: "nothing" }],
  ["reversed", evidence(FAILED, REVERSED), { got: "what was ordered, until it was reversed", paid: "nothing" }],
  ["not asked about", evidence({ claim: "not asked", said: "no" }, DELIVERED), { says: "(not asked)" }],
  ["delivered twice", evidence(PAID, { ...DELIVERED, delivered: [ARRIVED, ARRIVED] }), { got: "KES 200.00" }],
  ["one SMS", evidence(PAID, DELIVERED, PLACED_SMS), { got: "the SMS" }],
  [
    "an SMS that came twice",
    evidence(PAID, { ...DELIVERED, delivered: [ARRIVED, ARRIVED] }, PLACED_SMS),
    { got: "the SMS 2 times" },
  ],
])("says what the customer of an order got that was %s", (_what, order, truths) => {
  expect(judgeOrder(order, [])[0]?.truths).toMatchObject(truths);
});

test("says which number got it, if it was another", () => {
  const difference = { of: "number", ordered: "", delivered: "" } as const;
  const delivered = [{ ...ARRIVED, phoneNumber: "254712345687" }];

  const [verdict] = judgeOrder(evidence(PAID, { ...DELIVERED, delivered }, { difference }), []);

  expect(verdict?.truths?.got).toBe("nothing; 254712345687 got KES 100.00");
});

const RETRIED = { ...DELIVERED, requests: [refused("one", 0, { code: 500 }), accepted("two", 1)] };

test.each([
  [evidence(PAID, REVERSED), "the gateway got 1 request, accepted 1 and delivered 0 (1 taken back)"],
  [evidence(PAID, RETRIED), "the gateway got 2 requests, accepted 1 and delivered 1"],
  [evidence(PAID, DELIVERED, UNPAID), "the customer was debited KES 0.00; "],
  [evidence(FAILED, NOT_DELIVERED, { debited: { value: cents(-250) } }), "the customer was credited KES 2.50; "],
])("says what was seen: %#", (order, words) => {
  expect(judgeOrder(order, [])[0]?.seen).toContain(words);
});

const debited = (shillings: number) => ({ debited: { value: cents(shillings * 100) } });
const TWICE: Partial<OrderTruth> = { delivered: [ARRIVED, ARRIVED] };

test.each<[string, OrderEvidence, string]>([
  ["the price", evidence(PAID, DELIVERED, debited(100)), "right order"],
  ["twice the price", evidence(PAID, DELIVERED, debited(200)), "defect wrong-debit"],
  ["nothing", evidence(PAID, DELIVERED, debited(0)), "defect wrong-debit"],
  ["what no map prices", evidence(PAID, DELIVERED, { ...debited(100), price: undefined }), "right order"],
  [
    "something, priced at nothing",
    evidence(PAID, DELIVERED, { ...debited(100), price: NO_MONEY }),
    "defect wrong-debit",
  ],
  ["what is reserved for an open one", evidence(OPEN, { isNotified: false }, debited(100)), "open order"],
  ["nothing for a failed one", evidence(FAILED, NOT_DELIVERED, debited(0)), "right order"],
  ["the price of a failed one", evidence(FAILED, NOT_DELIVERED, debited(100)), "defect not-refunded"],
  ["less than nothing for a failed one", evidence(FAILED, NOT_DELIVERED, debited(-100)), "defect wrong-debit"],
  ["the price twice, sold twice", evidence(PAID, TWICE, debited(200)), "defect sold-twice"],
  [
    "the price twice, placed and sold twice",
    evidence(PAID, TWICE, { asked: 2, isOneReference: true, ...debited(200) }),
    "risk ordered-twice",
  ],
  ["the price twice, placed twice", evidence(PAID, DELIVERED, { asked: 2, ...debited(200) }), "defect wrong-debit"],
])("an order that took %s from the customer is %s", (_what, order, verdict) => {
  expect(verdictsOf(order)).toEqual([verdict]);
});

const TYPED = { placed: { ...PLACED, typedNumber: "0712 345 678" } } as const;
const OF_NUMBER = { code: 422, validationErrors: { phone_number: ["No."] } };

test.each([
  ["the gateway could not read", unread("one", 0, OF_NUMBER), "defect typed-number-passed-on"],
  ["a scenario refuses, though it was read", refused("one", 0, OF_NUMBER), "right order"],
])("an order with a typed number that %s", (_what, event, verdict) => {
  expect(verdictsOf(evidence(FAILED, { requests: [event] }, TYPED))).toEqual([verdict]);
});

test("a wrong debit for an order that was sold twice follows from that", () => {
  const order = evidence(PAID, { delivered: [ARRIVED, ARRIVED] }, { debited: { value: cents(20_000) } });

  expect(judgeOrder(order, [])[0]?.follows).toMatchObject([{ id: "wrong-debit" }]);
});

const SUCCESS = settled("one", 1, { charge: CHARGE });
const FAILURE = settled("one", 1, { outcome: "failed" });

test("without books, nothing was booked wrong", () => {
  expect(judgeOrder(evidence(PAID, DELIVERED), [SUCCESS])).toMatchObject([{ is: "right" }]);
});

test.each([
  [
    "a callback",
    evidence(PAID, { ...DELIVERED, callbacks: [attempted("one", 1, { outcome: answered(429) })] }),
    "the application answered a callback with 429",
  ],
  [
    "a question",
    evidence({ claim: "not asked", said: "answered 429", isLimited: true }, DELIVERED),
    "the application answered a question about the order with 429",
  ],
])("an application whose rate limit answered %s is not assessed", (_what, order, seen) => {
  const findings = [finding("sold-twice", "defect"), finding("callback-rate-limited", "risk")];
  const [first, ...others] = judgeOrder({ ...order, findings }, []);

  expect(first).toMatchObject({ is: "not assessed", seen: expect.stringContaining(seen) });
  expect(others).toMatchObject([{ is: "risk", id: "callback-rate-limited" }]);
});

test("a rate limit does not hide what the gateway sold twice", () => {
  const callbacks = [attempted("one", 1, { outcome: answered(429) })];

  expect(verdictsOf(evidence(PAID, { accepted: 2, delivered: [ARRIVED, ARRIVED], callbacks }))).toEqual([
    "defect sold-twice",
  ]);
});

test("a callback that was answered otherwise is not one of a rate limit", () => {
  const callbacks = [attempted("one", 1, { outcome: answered(500) })];

  expect(verdictsOf(evidence(PAID, { ...DELIVERED, callbacks }))).toEqual(["right order"]);
});

test("of several defects, the one with the most money at risk is the cause, and the others follow", () => {
  const order = evidence(FAILED, DELIVERED, {
    debited: { value: PRICE },
    findings: [finding("no-back-off", "risk"), finding("callback-redirected", "defect")],
  });

  const verdicts = judgeOrder(order, []);

  expect(verdicts.map(({ id }) => id)).toEqual(["delivered-shown-failed"]);
  expect(verdicts[0]?.follows.map(({ id, is }) => `${is} ${id}`)).toEqual([
    "defect callback-redirected",
    "risk no-back-off",
  ]);
});

const CALLED_FAILED = evidence(FAILED, DELIVERED);
const CALLED_PAID = evidence(PAID, NOT_DELIVERED);
const SOLD_TWICE = evidence(PAID, TWICE);
const TOO_EARLY = evidence(PAID, { accepted: 1, neverSettles: true });
const ALL_BOOKED = { books: { value: [{ requestId: "one", amount: PRICE, written: "{}" }] } };

test.each<[string, OrderEvidence, Partial<OrderEvidence>, string[]]>([
  ["shown as failed, delivered and paid for", CALLED_FAILED, debited(100), ["delivered-shown-failed"]],
  ["shown as failed, delivered and given back", CALLED_FAILED, debited(0), ["delivered-shown-failed"]],
  ["shown as failed and paid twice", CALLED_FAILED, debited(200), ["delivered-shown-failed", "wrong-debit"]],
  ["shown as failed and refunded twice", CALLED_FAILED, debited(-100), ["delivered-shown-failed", "wrong-debit"]],
  ["shown as paid, not delivered and paid for", CALLED_PAID, debited(100), ["paid-never-delivered"]],
  ["shown as paid, not delivered and given back", CALLED_PAID, debited(0), ["paid-never-delivered"]],
  ["shown as paid and paid twice", CALLED_PAID, debited(200), ["paid-never-delivered", "wrong-debit"]],
  ["shown as paid too early, and not paid for yet", TOO_EARLY, debited(0), ["paid-too-early"]],
  ["shown as paid too early and paid for", TOO_EARLY, debited(100), ["paid-too-early"]],
  ["sold twice, paid for once and shown as paid", SOLD_TWICE, debited(100), ["sold-twice"]],
  ["sold twice, paid for once and shown as failed", evidence(FAILED, TWICE), debited(100), ["sold-twice"]],
  ["sold twice and given back", SOLD_TWICE, debited(0), ["sold-twice", "wrong-debit"]],
  ["left open, though told of its delivery", evidence(OPEN, DELIVERED), debited(0), ["outcome-lost"]],
  ["gone, whatever was paid", evidence({ claim: "gone", said: "404" }, DELIVERED), debited(300), ["lost-by-restart"]],
  ["failed and not given back", evidence(FAILED, NOT_DELIVERED), debited(100), ["not-refunded"]],
  ["booked though failed", evidence(FAILED, NOT_DELIVERED), ALL_BOOKED, ["wrong-books"]],
  ["shown as paid and booked, though failed", CALLED_PAID, ALL_BOOKED, ["paid-never-delivered", "wrong-books"]],
])("what is told of an order that is %s, and what follows from that", (_what, order, changes, ids) => {
  const [first] = judgeOrder({ ...order, ...changes }, [FAILURE]);

  expect([first?.id, ...(first?.follows ?? []).map(({ id }) => id)]).toEqual(ids);
});

test("what an order costs or could do better does not follow from what is wrong with it", () => {
  const findings = [finding("no-back-off", "risk"), finding("sms-parts", "cost"), finding("new-connections", "hint")];

  const [first, ...others] = judgeOrder({ ...CALLED_FAILED, findings }, []);

  expect(first?.follows).toMatchObject([{ id: "no-back-off" }]);
  expect(others.map(({ id }) => id)).toEqual(["sms-parts", "new-connections"]);
});

test("defects of the balance and the books are listed by money at risk, whichever is seen first", () => {
  const order = evidence(OPEN, DELIVERED, { books: { value: [{ requestId: "one", amount: PRICE, written: "{}" }] } });

  const [verdict] = judgeOrder(order, [SUCCESS]);

  expect({ id: verdict?.id, follows: verdict?.follows.map(({ id }) => id) }).toEqual({
    id: "wrong-books",
    follows: ["outcome-lost"],
  });
});

test("a defect of the traffic is reported once, and does not explain other findings", () => {
  const waiting = evidence(
    PAID,
    { ...DELIVERED, waitsForever: true },
    { findings: [finding("waits-forever", "defect")] },
  );
  const late = evidence(PAID, DELIVERED, {
    findings: [finding("new-connections", "hint"), finding("callback-answered-late", "defect")],
  });

  expect(judgeOrder(waiting, [])).toMatchObject([
    { id: "waits-forever", seen: expect.stringMatching(/delivered 1; Seen$/), follows: [] },
  ]);
  expect(verdictsOf(late)).toEqual(["defect callback-answered-late", "right order", "hint new-connections"]);
});

test("the repair of an order left open after a refusal names the profiles under which a refusal has a request_id", () => {
  const [verdict] = judgeOrder(evidence(OPEN, REFUSED), []);

  expect(verdict?.repair).toContain("under the profiles document and sdk, a refusal has one as well");
});

test.each([
  ["after one that is right", evidence(PAID, DELIVERED), "right order"],
  ["after one that was left open, from which it does not follow", evidence(OPEN, REFUSED), "risk refused-left-open"],
])("what is noticed about an order comes %s", (_what, order, verdict) => {
  const findings = [finding("no-back-off", "risk")];

  expect(verdictsOf({ ...order, findings })).toEqual([verdict, "risk no-back-off"]);
});

test("findings about an order that was placed twice follow from that", () => {
  const order = evidence(
    PAID,
    { delivered: [ARRIVED, ARRIVED] },
    { asked: 2, isOneReference: true, findings: [finding("repeated-order", "risk")] },
  );

  expect(judgeOrder(order, [])).toMatchObject([{ id: "ordered-twice", follows: [{ id: "repeated-order" }] }]);
});

test("a finding keeps its words, its number and its evidence", () => {
  const order = evidence(PAID, DELIVERED, { findings: [finding("no-back-off", "risk")] });

  expect(judgeOrder(order, [])[1]).toEqual({
    is: "risk",
    id: "no-back-off",
    title: "Title",
    seen: "Seen.",
    why: "Why.",
    repair: "Repair.",
    assumes: "Nothing.",
    count: 3,
    exchanges: [
      { kind: "request", request_id: "one" },
      { kind: "callback", request_id: "one", attempt: 1 },
    ],
    follows: [],
  });
});

function finding(id: string, severity: Finding["severity"]): Finding {
  return {
    id,
    severity,
    title: "Title",
    why: "Why.",
    repair: "Repair.",
    assumes: "Nothing.",
    subject: "",
    seen: "Seen.",
    count: 3,
    firstAt: 1,
    lastAt: 2,
    exchanges: [request("one"), callback("one")],
  };
}
