import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { ShownWords } from "../../../src/verdict/orders/shown-words.ts";
import { accepted, attempted, cut, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const order = airtime(ORDER.amount, ORDER.phoneNumber);
const ACKNOWLEDGED = [accepted("one", 0, { order })];
const FAILED = [
  ...ACKNOWLEDGED,
  settled("one", 1, { outcome: "failed", resultCode: 500, charge: cents(0) }),
  attempted("one", 1),
];
const SILENCE = [cut("one", 0, { breakage: "reset", order })];
const REFUSED = [refused("one", 0, { code: 402, order })];
const DELIVERED = [...ACKNOWLEDGED, settled("one", 1), attempted("one", 1)];

interface Row {
  /** What was shown before, by what had happened to those orders. */
  readonly shown: readonly (readonly [word: string, events: readonly AccountEvent[]])[];
  /** What is shown of this order. */
  readonly word: string;
  readonly told: readonly AccountEvent[];
  readonly review?: readonly string[];
  readonly verdict: string;
}

test.each<Row>([
  ...["inakaguliwa", "manual_review", "refund_pending", "on-hold"].map((word) => ({
    shown: [["open", ACKNOWLEDGED] as const],
    word,
    told: FAILED,
    verdict: "risk held-after-failure",
  })),
  { shown: [["on-hold", ACKNOWLEDGED]], word: "on-hold", told: FAILED, verdict: "defect outcome-lost" },
  { shown: [["manual_review", ACKNOWLEDGED]], word: "manual_review", told: FAILED, verdict: "defect outcome-lost" },
  {
    shown: [["on-hold", ACKNOWLEDGED]],
    word: "on-hold",
    told: FAILED,
    review: ["on-hold"],
    verdict: "risk held-after-failure",
  },
  // It would have stayed as it was after the acknowledgment.
  { shown: [["on-hold", SILENCE]], word: "on-hold", told: FAILED, verdict: "risk held-after-failure" },
  { shown: [["on-hold", FAILED]], word: "on-hold", told: FAILED, verdict: "risk held-after-failure" },
  { shown: [["on-hold", REFUSED]], word: "on-hold", told: FAILED, verdict: "risk held-after-failure" },
  { shown: [["open", ACKNOWLEDGED]], word: "on-hold", told: DELIVERED, verdict: "defect outcome-lost" },
  { shown: [["open", ACKNOWLEDGED]], word: "imekataliwa", told: REFUSED, verdict: "risk refused-left-open" },
  { shown: [["imekataliwa", REFUSED]], word: "imekataliwa", told: REFUSED, verdict: "risk refused-left-open" },
  { shown: [["open", ACKNOWLEDGED]], word: "open", told: REFUSED, verdict: "defect refused-left-open" },
  { shown: [["unknown", SILENCE]], word: "unknown", told: REFUSED, verdict: "defect refused-left-open" },
  {
    shown: [["unknown", SILENCE]],
    word: "unknown",
    told: REFUSED,
    review: ["unknown"],
    verdict: "risk refused-left-open",
  },
  { shown: [], word: "open", told: ACKNOWLEDGED, verdict: "open order" },
  { shown: [["open", ACKNOWLEDGED]], word: "on-hold", told: SILENCE, verdict: "open order" },
])(
  "after $shown, $word of an order that is open has the verdict $verdict",
  ({ shown, word, told, review, verdict }) => {
    const words = new ShownWords(review);
    for (const [said, events] of shown) words.note(evidenceOf(ORDER, events, { claimed: { claim: "open", said } }));
    const shownNow = evidenceOf(ORDER, told, { claimed: { claim: "open", said: word } });
    const held = { debited: { value: cents(5_000) }, price: cents(5_000), mayRetry: false };

    const [first] = judgeOrder({ ...shownNow, ...held, isProvenTold: words.proveTold(shownNow) }, told);

    expect(`${first?.is} ${first?.id}`).toBe(verdict);
  },
);

test("what is shown of an order that is paid or failed is no word of an open one", () => {
  const words = new ShownWords();
  words.note(evidenceOf(ORDER, ACKNOWLEDGED, { claimed: { claim: "failed", said: "cancelled" } }));

  expect(words.proveTold(evidenceOf(ORDER, FAILED, { claimed: { claim: "open", said: "cancelled" } }))).toBe(true);
});

test("a word that proves nothing is named with the verdict", () => {
  const [first] = judgeOrder(
    evidenceOf(ORDER, FAILED, { claimed: { claim: "open", said: "on-hold" }, isProvenTold: false }),
    FAILED,
  );

  expect(first?.seen).toContain('; orders about which it was told nothing are shown as "on-hold", too');
});
