import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import { isReceived } from "../../../src/gateway/account/readings/callback.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import {
  accepted,
  answered,
  attempted,
  clientLeft,
  observationsOf,
  opened,
  refused,
  settled,
} from "../../support/finding-events.ts";

function after(events: readonly AccountEvent[]): Aftermaths {
  const aftermaths = new Aftermaths();
  for (const event of events) aftermaths.take(event);
  return aftermaths;
}

const LEFT = [refused("late", 1, { code: 429 }), clientLeft("late", 2)];

test("a client that left before a refusal is remembered without a transaction", () => {
  const aftermaths = after(LEFT);

  expect([aftermaths.of("late").left?.waited, aftermaths.transactionOf("late")]).toEqual([2_000, undefined]);
});

test("nothing is remembered of before a reset", () => {
  const aftermaths = after([accepted("old", 1), ...LEFT, opened()]);

  expect([aftermaths.transactionOf("old"), aftermaths.of("late").left]).toEqual([undefined, undefined]);
});

test("only attempts count as attempts, and only with a result", () => {
  const copied: AccountEvent = { ...attempted("one", 3), kind: "copied" };
  const aftermaths = after([accepted("one", 0), attempted("one", 1), settled("one", 2), copied, attempted("one", 4)]);

  const progress = aftermaths.transactionOf("one")?.progress;

  expect(progress && "attempts" in progress && progress.attempts.map(({ at }) => at)).toEqual([attempted("one", 4).at]);
});

const ENDS: readonly (readonly [CallbackOutcome, isReceived: boolean, found: readonly string[]])[] = [
  [answered(200), true, []],
  [{ kind: "redirect", status: 302, location: "/login", body: "" }, true, ["callback-redirected"]],
  [{ kind: "timed_out" }, true, ["callback-answered-late"]],
  [{ kind: "reset" }, true, ["callback-unreachable"]],
  [{ kind: "refused" }, false, ["callback-unreachable"]],
  [{ kind: "unresolved_name" }, false, ["callback-unreachable"]],
  [{ kind: "tls", reason: "CERT_HAS_EXPIRED" }, false, ["callback-unreachable"]],
  [{ kind: "blocked", reason: "a public host" }, false, []],
  [{ kind: "abandoned" }, false, []],
];

test.each(ENDS)(
  "a callback that ended as %o was received: %s, and %j is said of its receiver",
  (outcome, was, found) => {
    const events = [attempted("one", 1, { outcome })];

    const checks = [
      "callback-redirected",
      "callback-answered-late",
      "callback-unreachable",
      "callback-not-acknowledged",
    ];
    expect(isReceived({ outcome })).toBe(was);
    expect(checks.filter((check) => observationsOf(check, events).length > 0)).toEqual(found);
  },
);
