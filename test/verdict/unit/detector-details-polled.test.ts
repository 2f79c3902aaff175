import { expect, test } from "vitest";
import { detailsPolled } from "../../../src/verdict/checks/details-polled.ts";
import { accepted, after, queried, request, observationsOf, unread } from "../../support/finding-events.ts";

const polls = (seconds: readonly number[]) => seconds.map((each) => queried(`at ${each}`, each));

test("sees a timer that goes off every ten seconds", () => {
  const events = polls([0, 10, 20.1, 30.2, 40.2, 50.2]);

  const seen = observationsOf(detailsPolled, events);

  expect(seen).toEqual([
    {
      subject: "account-details",
      seen: "6 polls came within 50.2 s, one every 10.0 s.",
      exchanges: ["at 0", "at 10", "at 20.1", "at 30.2", "at 40.2", "at 50.2"].map(request),
    },
  ]);
});

test("sees a timer among orders, and when it is refused", () => {
  const limited = unread("limited", 20, { code: 429, operation: "account-details" });
  const events = [...polls([0, 10]), accepted("order", 15), limited, ...polls([30, 40, 50])];

  expect(observationsOf(detailsPolled, events)).toHaveLength(1);
});

test("sees uneven polls once they have gone on for ten minutes", () => {
  const events = polls([0, 50, 80, 130, 180, 210, 260, 300, 350, 390, 440, 480, 530, 580, 610]);

  expect(observationsOf(detailsPolled, events)).toHaveLength(1);
});

test("goes by wall time where the account's clock stands still", () => {
  const events = [0, 60, 120, 180, 240, 300, 360].map((seconds) =>
    queried(`${seconds}`, 0, { traits: { wallAt: after(seconds) } }),
  );

  expect(observationsOf(detailsPolled, events)).toEqual([]);
});

test.each([
  ["a person asks three times", polls([0, 4, 9])],
  ["a test asks before and after each order", polls([0, 0.4, 1.9, 2.1, 4.4, 4.9, 6, 8.3])],
  ["a timer goes off once a minute", polls([0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660])],
  ["a load test asks as fast as it can", polls(Array.from({ length: 100 }, (_, index) => index / 200))],
  ["pauses lie between", polls([0, 10, 20, 90, 100, 110, 200, 210, 220])],
  ["it is orders that come evenly", [0, 10, 20, 30, 40, 50, 60].map((seconds) => accepted(`${seconds}`, seconds))],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(detailsPolled, events)).toEqual([]);
});
