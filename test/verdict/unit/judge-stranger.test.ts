import { expect, test } from "vitest";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import { judgeStranger } from "../../../src/verdict/orders/judge-stranger.ts";
import { accepted } from "../../support/finding-events.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const OPEN: Claimed = { claim: "open", said: "pending" };
const PAID: Claimed = { claim: "paid", said: "done" };
const FAILED: Claimed = { claim: "failed", said: "refunded" };
const SILENT: Claimed = { claim: "no answer", said: "no answer" };

test.each([
  ["stayed open", OPEN, OPEN, OPEN, "right order"],
  ["was paid", OPEN, PAID, OPEN, "defect believes-strangers"],
  ["failed", OPEN, FAILED, OPEN, "defect believes-strangers"],
  ["was paid, as was another without a stranger", OPEN, PAID, PAID, "not assessed order"],
  ["was paid, while another cannot be asked", OPEN, PAID, SILENT, "not assessed order"],
  ["was paid before", PAID, PAID, OPEN, "not assessed order"],
  ["cannot be asked any more", OPEN, SILENT, OPEN, "not assessed order"],
])("an order that %s", (_what, before, claimed, control, expected) => {
  const { is, id } = judged({ before, claimed, control });

  expect(`${is} ${id}`).toBe(expected);
});

test("says what was sent, answered and changed, and what a secret in the URL would be", () => {
  const [guarded, bare] = [true, false].map((hasSecret) =>
    judged({ before: OPEN, claimed: PAID, control: OPEN }, hasSecret),
  );

  expect(guarded?.seen).toContain(
    "a callback without the secret of the callback URL was answered 200, and the order changed from pending to done; ",
  );
  expect({ is: bare?.is, seen: bare?.seen, repair: bare?.repair }).toEqual({
    is: "risk",
    seen: expect.stringContaining("a callback from somebody else than the gateway was answered 200, "),
    repair: expect.stringContaining("?token="),
  });
});

function judged(
  { before, claimed, control }: Readonly<Record<"before" | "claimed" | "control", Claimed>>,
  hasSecret = true,
) {
  const order = evidenceOf(ORDER, [accepted("one", 0)], { claimed });
  return judgeStranger(order, { before, control, hasSecret, reply: { kind: "answered", status: 200, text: "" } });
}
