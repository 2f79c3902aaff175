import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { accepted, appliedRules, attempted, queried, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const PRICE = cents(5_000);
/** It was taken, its money is held, and it was never sent. */
const HELD = { claimed: { claim: "open", said: "open" }, debited: { value: PRICE }, price: PRICE } as const;
const REFUSED = { ...ORDER, reply: { kind: "answered", status: 409, text: "" } } as const;
const SILENT = { ...ORDER, reply: { kind: "silent", reason: "timeout", wasReached: true } } as const;

const OTHER = "254712000002";
const sentFor = (phoneNumber: string) => accepted("other", 0, { order: airtime(80, phoneNumber) });
const SETTLED = settled("other", 1);
const TOLD = attempted("other", 2);
const OTHER_SENT: readonly AccountEvent[] = [sentFor(OTHER), SETTLED, TOLD];
const BROKEN = accepted("other", 0, { order: airtime(80, OTHER), rules: appliedRules({ breakage: "reset" }) });

test.each<[string, readonly AccountEvent[], Partial<OrderEvidence>, string]>([
  ["beside one that was sent and told", OTHER_SENT, {}, "defect taken-not-sent"],
  [
    "beside one that failed",
    [sentFor(OTHER), settled("other", 1, { outcome: "failed", charge: NO_MONEY }), TOLD],
    {},
    "defect taken-not-sent",
  ],
  ["after a question for account details", [queried("q", 0), ...OTHER_SENT], {}, "defect taken-not-sent"],
  ["where nothing is told, because no callback is sent", [sentFor(OTHER), SETTLED], {}, "defect taken-not-sent"],
  [
    "where the map has no balance",
    OTHER_SENT,
    { debited: { unasked: "the app map has no balance" }, price: undefined },
    "defect taken-not-sent",
  ],
  ["whose money was given back", OTHER_SENT, { debited: { value: NO_MONEY } }, "open order"],
  ["whose money could not be read", OTHER_SENT, { debited: { missing: "answered 429" } }, "open order"],
  [
    "whose money could not be read, and whose price is not known",
    OTHER_SENT,
    { debited: { missing: "answered 429" }, price: undefined },
    "open order",
  ],
  ["that the application refused", OTHER_SENT, { placed: REFUSED }, "open order"],
  ["whose placement got no answer", OTHER_SENT, { placed: SILENT }, "open order"],
  ["that is shown for review", OTHER_SENT, { isForReview: true }, "open order"],
  ["while nothing was sent at all", [], {}, "open order"],
  [
    "after a refusal",
    [...OTHER_SENT, refused("r", 3, { code: 402, order: airtime(80, "254712000003") })],
    {},
    "open order",
  ],
  ["after silence", [BROKEN, SETTLED, TOLD], {}, "open order"],
  [
    "while another waits for its result",
    [...OTHER_SENT, accepted("stuck", 3, { order: airtime(80, "254712000003") })],
    {},
    "open order",
  ],
  [
    "after an earlier one for its number",
    [sentFor(ORDER.phoneNumber), SETTLED, TOLD],
    { truth: evidenceOf(ORDER, []).truth },
    "open order",
  ],
])("an order that was taken and not sent, %s", (_what, events, changes, expected) => {
  const [first] = judgeOrder(evidenceOf(ORDER, events, { ...HELD, ...changes }), events);

  expect(`${first?.is} ${first?.id}`).toBe(expected);
});
