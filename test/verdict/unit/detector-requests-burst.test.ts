import { expect, test } from "vitest";
import { requestsBurst } from "../../../src/verdict/checks/requests-burst.ts";
import {
  accepted,
  after,
  cut,
  queried,
  refused,
  request,
  settled,
  observationsOf,
} from "../../support/finding-events.ts";

const burst = { requests: 3, per: 1_000 };

test("sees the first request past the stated rate, of whatever kind", () => {
  const events = [
    accepted("one", 0),
    queried("two", 0.1),
    refused("three", 0.2, { code: 402 }),
    cut("four", 0.34),
    accepted("five", 0.4),
  ];

  const seen = observationsOf(requestsBurst, events, { burst });

  expect(seen).toEqual([
    {
      subject: "3 in 1,000 ms",
      seen: "More than 3 requests came within 1,000 ms: the next one 340 ms after the first.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test("sees each burst once", () => {
  const events = [0, 0.1, 0.2, 0.3, 0.4, 5, 5.1, 5.2, 5.3, 5.4].map((seconds) => accepted(`${seconds}`, seconds));

  expect(observationsOf(requestsBurst, events, { burst })).toHaveLength(2);
});

test("goes by wall time where the account's clock stands still", () => {
  const events = [0, 1, 2, 3].map((seconds) => accepted(`${seconds}`, 0, { traits: { wallAt: after(seconds) } }));

  expect(observationsOf(requestsBurst, events, { burst })).toEqual([]);
});

test("says nothing where no rate is stated", () => {
  const events = Array.from({ length: 1_000 }, (_, index) => accepted(`${index}`, 0));

  expect(observationsOf(requestsBurst, events)).toEqual([]);
});

test.each([
  ["the rate is kept", [0, 0.3, 0.6, 1, 1.3, 1.6, 2].map((seconds) => accepted(`${seconds}`, seconds))],
  [
    "other events come between",
    [accepted("one", 0), accepted("two", 0), accepted("three", 0), settled("one", 0), settled("two", 0)],
  ],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(requestsBurst, events, { burst })).toEqual([]);
});
