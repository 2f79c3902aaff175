import { expect, test } from "vitest";
import { sentAfter401 } from "../../../src/verdict/checks/sent-after-401.ts";
import { accepted, queried, refused, request, observationsOf, unread } from "../../support/finding-events.ts";

const wrong = (requestId: string, seconds: number) => unread(requestId, seconds, { code: 401 });
const look = (seconds: number) => unread(`look ${seconds}`, seconds, { code: 401, operation: "account-details" });

test("sees the third request that comes more than a second after the first 401", () => {
  const events = [wrong("one", 0), wrong("two", 10), wrong("three", 20), wrong("four", 30)];

  const seen = observationsOf(sentAfter401, events);

  expect(seen).toEqual([
    {
      subject: "consumer key and secret",
      seen: "4 requests in a row were refused with 401 in 30.0 s.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test("sees each one after that", () => {
  const events = [wrong("one", 0), wrong("two", 2), wrong("three", 3), wrong("four", 4), wrong("five", 5)];

  const seen = observationsOf(sentAfter401, events);

  expect(seen.map(({ exchanges }) => exchanges[1])).toEqual([request("four"), request("five")]);
});

test("account-details asked for in quick succession is no look any longer", () => {
  const events = [look(0), look(2), look(4), look(6), look(8)];

  expect(observationsOf(sentAfter401, events)).toHaveLength(1);
});

test("requests for unknown paths between them mend nothing", () => {
  const events = [
    wrong("one", 0),
    wrong("two", 2),
    unread("lost", 2, { code: 404 }),
    wrong("three", 3),
    wrong("four", 4),
  ];

  expect(observationsOf(sentAfter401, events)).toHaveLength(1);
});

test.each([
  ["a person tries three times", [wrong("one", 0), wrong("two", 10), wrong("three", 20)]],
  [
    "all were under way when the first was answered",
    Array.from({ length: 50 }, (_, index) => wrong(`${index}`, index / 50)),
  ],
  [
    "an order between them was accepted",
    [wrong("one", 0), wrong("two", 2), accepted("good", 3), wrong("three", 4), wrong("four", 5)],
  ],
  [
    "the balance between them was answered",
    [wrong("one", 0), wrong("two", 2), queried("good", 3), wrong("three", 4), wrong("four", 5)],
  ],
  [
    "a refusal of another kind shows that the credentials are right",
    [wrong("one", 0), wrong("two", 2), refused("poor", 3, { code: 402 }), wrong("three", 4), wrong("four", 5)],
  ],
  ["account-details is asked for now and then", [wrong("one", 0), ...[15, 30, 45, 60].map((seconds) => look(seconds))]],
  [
    "each comes more than ten minutes after the last",
    [wrong("one", 0), wrong("two", 700), wrong("three", 1_400), wrong("four", 2_100)],
  ],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(sentAfter401, events)).toEqual([]);
});
