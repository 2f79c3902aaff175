import { expect, test } from "vitest";
import { LoadMonitor, Pace } from "../../../src/verdict/trial/pace.ts";
import { accepted, clientLeft, cut, queried } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const PATIENCE = 5_000;

test("the map's time is used, unless the verdict must be certain", () => {
  const pace = new Pace(200);

  pace.noteRight(3_000);
  pace.noteRequests([accepted("a", 0), accepted("b", 4)], 1, true);

  expect(waitsOf(pace)).toEqual({ certain: 6_000, settle: 200, calm: 200 });
});

test("an application that shows its orders at once and sends none again is waited for as little as possible", () => {
  const pace = new Pace(undefined);

  pace.noteRight(10);
  pace.noteRequests([accepted("a", 0)], 1, true);

  expect(waitsOf(pace)).toEqual({ certain: PATIENCE, settle: 250, calm: 250 });
});

test("an application that needs long to show an order is waited for longer", () => {
  const pace = new Pace(undefined);

  pace.noteRight(4_000);

  expect(waitsOf(pace)).toEqual({ certain: 8_000, settle: 8_000, calm: 16_000 });
});

test("an application that sends an order again is given twice the time that this took since it gave up waiting", () => {
  const pace = new Pace(undefined);

  pace.noteRequests([cut("a", 0, { breakage: "hang" }), clientLeft("a", 2, 2_000), accepted("b", 3)], 1, true);

  expect(pace.settle(false)).toBe(2_000);
});

const TO_OTHER = { order: airtime(1, "254722000000") };

test.each([
  ["a question for account details before the only order", [queried("a", 0), accepted("b", 2)], 1, true, 4_000],
  ["one after it where results are told", [accepted("a", 0), queried("b", 2)], 1, true, 250],
  ["one after it where nothing is told", [accepted("a", 0), queried("b", 2)], 1, false, 4_000],
  ["a question for account details beside several orders", [queried("a", 0), accepted("b", 2)], 2, true, 250],
  ["orders for two numbers", [accepted("a", 0), accepted("b", 2, TO_OTHER)], 2, true, 250],
  ["two orders for one number", [accepted("a", 0), accepted("b", 2)], 2, true, 4_000],
])(
  "%s: an application is given twice the longest pause between requests for one order",
  (_what, events, orders, isTold, settle) => {
    const pace = new Pace(undefined);

    pace.noteRequests(events, orders, isTold);

    expect(pace.settle(false)).toBe(settle);
  },
);

function waitsOf(pace: Pace) {
  return { certain: pace.settle(true), settle: pace.settle(false), calm: pace.calm };
}

test.each([
  ["one takes half a second longer than it should", [0, 499, 500, 0], [false, false, true, true]],
  ["five are late by a tenth of a second on average", [0, 100, 100, 150, 150], [false, false, false, false, true]],
])("the machine is too busy once, of Kredo's own pauses, %s", async (_what, late, isBusy) => {
  let now = 0;
  const left = [...late];
  const pause = async (wait: number): Promise<void> => void (now += wait + (left.shift() ?? 0));
  const load = new LoadMonitor({ clock: { now: () => now }, pause });
  const seen: boolean[] = [];

  for (const _ of late) {
    await load.pause(20, new AbortController().signal);
    seen.push(load.isTooBusy);
  }

  expect(seen).toEqual(isBusy);
});
