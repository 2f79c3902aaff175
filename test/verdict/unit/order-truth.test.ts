import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { requestsByOrder } from "../../../src/gateway/account/readings/requests-of-orders.ts";
import { isTriedForever, mayRetry, type OrderTruth, readOrderTruth } from "../../../src/verdict/orders/order-truth.ts";
import { accepted, after, attempted, cut, queried, refused, settled } from "../../support/finding-events.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { airtime, buyAirtime, callbacksTo, type TestWorld, testWorld } from "../../support/gateway/world.ts";

const NUMBER = "254712345678";
const ORDERED = { operation: "airtime", phoneNumber: NUMBER, amount: 10, message: "", reference: "r1" } as const;
const RECEIVED = { account: { callbacks: callbacksTo("http://receiver.test/hook") } };

/** What happened to an order whose carrier has answered. */
async function truthOf({ account }: TestWorld) {
  await account.advance({ by: 60_000 }, 1_000);
  return read(...account.journal.read().events);
}

test("the acknowledgment of one order says nothing about the next", async () => {
  const world = testWorld(RECEIVED);
  const { requestId } = buyAirtime(world.account, 10);
  world.account.journal.append((_state, at) => [{ kind: "client-left", at, requestId, waited: 5 }]);
  buyAirtime(world.account, 10, "254722345678");

  expect(await truthOf(world)).toMatchObject({ accepted: 1, isNotified: false });
});

test.each([
  ["is told", "callback: { delay: 1s }", { accepted: 1, sold: 1, isNotified: true, neverSettles: false }],
  [
    "is taken back",
    "callback: { times: 2, reverse: true }",
    { accepted: 1, sold: 0, delivered: [], reversed: 1, charged: 0, refunded: 950, isNotified: true },
  ],
  ["is told in a callback of the wrong type", "callback: { wrong_content_type: true }", { sold: 1, isNotified: false }],
  ["has no result", "result: { stuck: true }", { sold: 1, delivered: [], neverSettles: true, isNotified: false }],
  ["fails", "result: { outcome: failed }", { sold: 0, delivered: [], neverSettles: false, isNotified: true }],
  [
    "is answered as if it had been refused",
    `ack: { status: 429, body: '{"status_code": 429}' }`,
    { isMisled: true, isNotified: false },
  ],
])("what becomes of an order that %s", async (_what, effect, truth) => {
  const world = testWorld(RECEIVED);
  await script(world.account, rule(`then: { ${effect} }`));
  buyAirtime(world.account, 10);

  expect(await truthOf(world)).toMatchObject(truth);
});

test("requests for another amount to other numbers are none of its requests", async () => {
  const world = testWorld(RECEIVED);
  buyAirtime(world.account, 11, "254722345678");

  expect(await truthOf(world)).toMatchObject({
    asked: 0,
    accepted: 0,
    delivered: [],
    isNotified: false,
    callbacks: [],
  });
});

const SECOND = { ...ORDERED, phoneNumber: "254712345679", amount: 20, reference: "r2" } as const;
const ELSEWHERE = "254722345678";

/** The requests of two orders, of which only the second has one that names its number. */
function idsOfFirst(event: AccountEvent, earlier?: ReadonlySet<string>): string[] | undefined {
  const named = accepted("named", 0, { order: airtime(20, SECOND.phoneNumber) });
  const requests = requestsByOrder([named, event], [ORDERED, SECOND], earlier);
  return requests.get(ORDERED.reference)?.map(({ requestId }) => requestId);
}

test("what was sold to a number that nobody ordered for is of the order without requests that is like it", () => {
  const [alike, other] = [10, 20].map((amount) => accepted("stray", 1, { order: airtime(amount, ELSEWHERE) }));

  expect({ alike: alike && idsOfFirst(alike), other: other && idsOfFirst(other) }).toEqual({
    alike: ["stray"],
    other: [],
  });
});

test("a request of Kredo's own commands is of no order, and an order of the same number does not wait for it", () => {
  const own = accepted("own", 0, { order: airtime(10, NUMBER), traits: { isOfKredo: true } });

  expect(read(own, waits("own"))).toMatchObject({ asked: 0, sold: 0, waitsForever: false });
});

test("a number that was ordered for earlier belongs to no later order", () => {
  const late = accepted("stray", 1, { order: airtime(10, ELSEWHERE) });

  expect(idsOfFirst(late, new Set([ELSEWHERE]))).toEqual([]);
});

test.each([
  ["one and one", 1, [["one"], ["two", "three"]]],
  ["two and one", 2, [["one", "two"], ["three"]]],
  ["all of the first", 3, [["one", "two", "three"], []]],
  ["none of the first", 0, [[], ["one", "two", "three"]]],
])("of two orders for one number, each has the requests from its placement on: %s", (_what, requestsBefore, ids) => {
  const events = ["one", "two", "three"].map((id) => accepted(id, 0, { order: airtime(10, NUMBER) }));

  const requests = requestsByOrder(events, [ORDERED, { ...ORDERED, reference: "r2", requestsBefore }]);

  expect([...requests.values()].map((own) => own.map(({ requestId }) => requestId))).toEqual(ids);
});

test("requests that were refused unread are of the orders without others, one after another", () => {
  const unread = ["one", "two", "three"].map((id) => refused(id, 0, { code: 401, order: undefined }));

  const requests = requestsByOrder(unread, [ORDERED, SECOND]);

  expect([...requests.values()].map((events) => events.map(({ requestId }) => requestId))).toEqual([
    ["one"],
    ["two", "three"],
  ]);
});

test.each([
  ["ten seconds after its only request", [0], 10, false],
  ["sooner than that", [0], 9, true],
  ["before three times its longest pause", [0, 5], 19, true],
  ["after three times its longest pause", [0, 5], 20, false],
])("an application may ask again %s: %o, %i, %o", (_when, seconds, now, may) => {
  const requests = seconds.map((at) => refused(`${at}`, at, { code: 402 }));

  expect(mayRetry(requests, [], after(now))).toBe(may);
});

/** What these events say of the order with the number that they have by default. */
function read(...events: AccountEvent[]): OrderTruth {
  return readOrderTruth(events, requestsByOrder(events, [ORDERED]).get(ORDERED.reference));
}

const other = airtime(50, "254722345678");

test("what was delivered and charged is added up, without what failed", () => {
  const truth = read(
    accepted("one", 0),
    accepted("two", 1),
    accepted("three", 2),
    accepted("other", 3, { order: other }),
    settled("one", 4, { charge: cents(4_750) }),
    settled("two", 5, { charge: cents(4_800) }),
    settled("three", 6, { outcome: "failed" }),
    settled("other", 7),
  );

  expect(truth).toMatchObject({
    accepted: 3,
    delivered: [{ amount: 5_000 }, { amount: 5_000 }],
    charged: 9_550,
    isSoldTwice: true,
  });
});

const settlesNever = { ...accepted("", 0).plan, settleAfter: "never" } as const;

test("an order whose second request was delivered has settled, although the first never will", () => {
  const [stuck, second] = [accepted("one", 0, { plan: settlesNever }), accepted("two", 1)];

  expect(read(stuck, second)).toMatchObject({ neverSettles: true });
  expect(read(stuck, second, settled("two", 2))).toMatchObject({ neverSettles: false });
});

test("the outcome of an order is known once that of each of its requests is", () => {
  const [limited, taken] = [refused("one", 0, { code: 429 }), accepted("two", 1)];

  expect(read(limited, taken, settled("two", 2), attempted("two", 3))).toMatchObject({ isNotified: true });
  expect(read(limited, taken, settled("two", 2))).toMatchObject({ isNotified: false });
  expect(read(accepted("one", 0), taken, settled("two", 2), attempted("two", 3))).toMatchObject({ isNotified: false });
  expect(read(cut("one", 0), taken, settled("two", 2), attempted("two", 3))).toMatchObject({ isNotified: false });
});

test.each<[CallbackOutcome, number]>([
  [{ kind: "answered", status: 500, body: "" }, 1],
  [{ kind: "redirect", status: 301, location: "/", body: "" }, 1],
  [{ kind: "timed_out" }, 1],
  [{ kind: "reset" }, 1],
  [{ kind: "refused" }, 0],
  [{ kind: "unresolved_name" }, 0],
  [{ kind: "tls", reason: "CERT_HAS_EXPIRED" }, 0],
])("of callbacks that came to %j, as many reached the application: %i", (outcome, count) => {
  const truth = read(accepted("one", 0), settled("one", 1), attempted("one", 2, { outcome }));

  expect(truth.callbacks).toHaveLength(count);
});

test("callbacks of other orders are none of its callbacks", () => {
  expect(read(accepted("one", 0), accepted("other", 0, { order: other }), attempted("other", 1)).callbacks).toEqual([]);
});

const waits = (requestId: string): AccountEvent => ({ kind: "client-waits", at: after(32), requestId, waited: 32_000 });

test.each([
  ["its own request", accepted("one", 0), true],
  ["a question for the balance", queried("one", 0), true],
  ["another order", accepted("one", 0, { order: other }), false],
])("a client that waits forever for %s waits for this order: %o", (_what, event, waitsForever) => {
  expect(read(accepted("quick", 0), event, waits("one"))).toMatchObject({ waitsForever });
  expect(read(event, waits("unknown"))).toMatchObject({ waitsForever: false });
});

interface Tries {
  readonly tries: number;
  readonly every?: number;
  readonly code?: 402 | 429;
  readonly ends: number;
}

test.each<[string, Tries, boolean]>([
  ["a try each second until the end", { tries: 60, ends: 60.5 }, true],
  ["a thousand of them, before a minute is over", { tries: 1_000, every: 0.01, ends: 10 }, true],
  ["twelve in six seconds, and none since", { tries: 12, every: 0.5, ends: 60 }, false],
  ["some until shortly before the end", { tries: 55, ends: 58 }, false],
  ["too few", { tries: 11, every: 6, ends: 61 }, false],
  ["not watched for a minute", { tries: 20, ends: 20 }, false],
  ["refusals that a retry may remove", { tries: 60, code: 429, ends: 60.5 }, false],
])("whether an order is tried for ever: %s", (_what, { tries, every = 1, code = 402, ends }, expected) => {
  const requests = Array.from({ length: tries }, (_, at) => refused(`${at}`, at * every, { code }));

  expect(isTriedForever(readOrderTruth(requests, requests), after(ends), 60_000)).toBe(expected);
});
