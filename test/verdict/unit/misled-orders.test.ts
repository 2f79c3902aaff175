import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { AppliedRules } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { accepted, attempted, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

/** Accepted, and answered like this. */
function sent(requestId: string, ack?: AppliedRules["ack"]): AccountEvent {
  const rules = { fired: [], counters: [], ack };
  return accepted(requestId, 0, { order: airtime(50, ORDER.phoneNumber), ...(ack && { rules }) });
}

const REFUSED = { delay: 0, status: 429, body: '{"status_code": 429}' };
const MISLED = [sent("one", REFUSED), settled("one", 1), attempted("one", 2)];
const SOLD = [sent("two"), settled("two", 1), attempted("two", 2)];

/** The account of a callback that says this in the place of the result. */
function told(result: { readonly outcome: "succeeded" | "failed" }, code: number): AccountEvent[] {
  const body = `{"request_id": "one", "result_code": ${code}}`;
  return [sent("one"), settled("one", 1, result), attempted("one", 2, { scripted: { body } })];
}

function judge(claim: "paid" | "failed" | "open", events: AccountEvent[], changes: Partial<OrderEvidence> = {}) {
  const claimed = { claim, said: claim } as const;
  const order = evidenceOf(ORDER, events, { claimed, price: cents(5_000), isPaidFirst: true, ...changes });
  return judgeOrder(order, events).map(({ is, id, seen }) => ({ is, id, seen }));
}

const LIE = expect.stringContaining("accepted it and answered with a refusal (429)");

test.each<[string, ReturnType<typeof judge>]>([
  ["sent again and sold a second time", judge("paid", [...MISLED, ...SOLD])],
  ["shown as failed", judge("failed", MISLED)],
  ["open, with the money given back", judge("open", MISLED, { debited: { value: cents(0) } })],
  ["paid, with a charge that nobody booked", judge("paid", MISLED, { books: { value: [] } })],
])("an order whose acceptance was answered with a refusal is open, if it is %s", (_what, verdicts) => {
  expect(verdicts).toEqual([{ is: "open", id: "misled", seen: LIE }]);
});

test.each<[string, ReturnType<typeof judge>, string]>([
  [
    "failed of a delivered order",
    judge("failed", told({ outcome: "succeeded" }, 500)),
    "its callback said failed, although",
  ],
  [
    "delivered of a failed order",
    judge("paid", told({ outcome: "failed" }, 200)),
    "its callback said delivered, although",
  ],
])("an order is open if its callback said %s", (_what, verdicts, seen) => {
  expect(verdicts).toEqual([{ is: "open", id: "misled", seen: expect.stringContaining(seen) }]);
});

test("what was answered with a proxy's page is sold twice if it is sent again", () => {
  const page = { delay: 0, status: 502, body: "<html>" };

  expect(judge("paid", [sent("one", page), settled("one", 1), ...SOLD])).toMatchObject([
    { is: "defect", id: "sold-twice" },
  ]);
});
