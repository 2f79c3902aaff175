import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import {
  calledBackBetweenWaits,
  calledBackInOrder,
  restartedAfterFirstCallbacks,
} from "../../../src/verdict/exploration/conditions.ts";
import type { Condition } from "../../../src/verdict/exploration/experiment.ts";
import { accepted, attempted } from "../../support/finding-events.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";
import { readOrderTruth } from "../../../src/verdict/orders/order-truth.ts";

/** Of the first order, a and b are callbacks of its two requests; of the second, c and d. | is a wait, or the restart. */
function told(condition: Condition, words: string): string | undefined {
  const steps = words.split(" ");
  const requests = ["a", "b", "c", "d"].map((id, at) => accepted(id, at));
  const marks: number[] = [];
  const events: AccountEvent[] = [...requests];
  for (const [at, word] of steps.entries())
    if (word === "|") marks.push(events.length);
    else events.push(attempted(word, 10 + at));
  const orders = [requests.slice(0, 2), requests.slice(2)].map((own) =>
    evidenceOf(ORDER, events, { truth: readOrderTruth(events, own) }),
  );
  return condition({ events, orders, waitedAt: marks, restartedAt: marks[0], wentDownAt: marks[0] });
}

const APART = "the callbacks did not come as far apart";
const EARLY = "a callback was repeated before the restart";
const OTHER = "the callbacks came in another order";

test.each<[string, Condition, string, string | undefined]>([
  ["apart", calledBackBetweenWaits, "a b | a | a", undefined],
  ["apart", calledBackBetweenWaits, "b a | b | b", undefined],
  ["apart", calledBackBetweenWaits, "a b | a b |", APART],
  ["apart", calledBackBetweenWaits, "a a | b | b", APART],
  ["in turn", calledBackInOrder(0, 1), "a b d c", undefined],
  ["crossed", calledBackInOrder(1, 0), "b c d a", undefined],
  ["crossed", calledBackInOrder(1, 0), "a b c d", OTHER],
  ["again after a restart", restartedAfterFirstCallbacks(1), "a b c d | c", undefined],
  ["again after a restart", restartedAfterFirstCallbacks(1), "a b c c d |", EARLY],
])("callbacks of orders that are two requests came %s, or not", (_what, condition, words, unmet) => {
  expect(told(condition, words)).toBe(unmet);
});
