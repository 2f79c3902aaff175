import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading, type Row } from "../../../src/dashboard/live/account-reading.ts";
import { type RowQuestion, RowReading } from "../../../src/dashboard/live/row-reading.ts";
import { alone } from "../../../src/dashboard/live/read-sale.ts";
import { gotWords } from "../../../src/dashboard/views/requests/words.ts";
import { readFilter, rowQuestion } from "../../../src/dashboard/views/requests/filter.ts";
import {
  accepted,
  appliedRules,
  attempted,
  clientLeft,
  cut,
  opened,
  queried,
  refused,
  settled,
} from "../../support/finding-events.ts";
import type { FindingJson } from "../../../src/verdict/shapes.ts";
import { airtime } from "../../support/gateway/world.ts";

test("looks only at the rows that are new or have changed", () => {
  const account = accountOf(Array.from({ length: 2_500 }, (_, index) => accepted(`old-${index}`, 1)));
  const looked: Row[] = [];
  const reading = new RowReading({
    asked: new Map([["state", ""]]),
    facetsOf: (row) => (looked.push(row), { state: [row.transaction?.progress.state ?? ""] }),
  });
  reading.refresh(account);
  looked.length = 0;

  follow(account, accepted("new", 2), settled("old-77", 2), attempted("old-77", 2));
  reading.refresh(account);
  reading.refresh(account);

  expect(looked.map(({ request }) => request.requestId)).toEqual(["new", "old-77"]);
  expect(reading.rows).toHaveLength(2_501);
  expect(reading.counts("state")).toEqual(new Map(Object.entries({ queued: 2_500, succeeded: 1, "": 2_501 })));
});

test("drops a finding once none of it holds any more", () => {
  const account = accountOf([]);
  account.notice(FINDING);
  account.notice({ ...FINDING, id: "repeated-order" });

  account.notice({ ...FINDING, count: 0 });

  expect([...account.findings.values()].map(({ id }) => id)).toEqual(["repeated-order"]);
});

test.each([
  ["at once", 2.6],
  ["after the refusal was due", 9],
])(
  "a client that left before a late refusal got no answer, and what it sends again %s is one sale with it",
  (_, seconds) => {
    const late = refused("a", 1, { code: 429, rules: appliedRules({ ack: { delay: 5_000 } }) });

    const { rows } = accountOf([late, clientLeft("a", 2.5, 1_500), accepted("b", seconds)]);

    expect(rows.map(({ sale }) => sale.length)).toEqual([2, 2]);
    expect(rows.map((row) => gotWords(alone(row)).text)).toEqual(["no answer", "200"]);
  },
);

const FINDING: FindingJson = {
  id: "sold-twice",
  subject: "",
  severity: "defect",
  title: "Title",
  seen: "Seen.",
  why: "Why.",
  repair: "Repair.",
  assumes: "Nothing.",
  count: 1,
  first_at: "2025-01-06T06:00:00.000Z",
  last_at: "2025-01-06T06:00:00.000Z",
  exchanges: [],
};

const IDS = ["a", "b", "c", "d", "e", "f"];

const anyEvent: fc.Arbitrary<AccountEvent> = fc
  .record({ id: fc.constantFrom(...IDS), amount: fc.integer({ min: 5, max: 8 }), kind: fc.nat(5) })
  .map(({ id, amount, kind }) => {
    const kinds = [
      accepted(id, 1, { order: airtime(amount) }),
      settled(id, 2),
      attempted(id, 3),
      refused(id, 1, { code: 402 }),
      cut(id, 1),
      queried(id, 1),
    ] as const;
    return kinds[kind] ?? kinds[0];
  });

const anyQuestion = fc
  .record({
    problem: fc.constantFrom("", "pending", "lost", "attention"),
    operation: fc.constantFrom("", "airtime"),
    text: fc.constantFrom("", "0712"),
  })
  .map((filter) => rowQuestion(readFilter(filter)));

test("says after each event what a reading of all the rows says", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 25 }), anyQuestion, (events, question) => {
      const account = accountOf([]);
      const reading = new RowReading(question);

      const said = plausible(events).map((event) => {
        follow(account, event);
        reading.refresh(account);
        return [contents(reading), contents(readAnew(account, question))];
      });

      expect(said.map(([grown]) => grown)).toEqual(said.map(([, anew]) => anew));
    }),
  );
});

test("starts over after a reset", () => {
  const account = accountOf([accepted("before", 1)]);
  const reading = readAnew(account, EVERYTHING);

  follow(account, opened(), accepted("after", 1));
  reading.refresh(account);

  expect(reading.rows.map(({ request }) => request.requestId)).toEqual(["after"]);
});

test("drops the oldest rows with the account", () => {
  const account = new AccountReading(50);
  follow(account, opened(), ...Array.from({ length: 54 }, (_, index) => queried(`asked-${index}`, 1)));
  const reading = readAnew(account, EVERYTHING);

  follow(account, queried("late", 2));
  reading.refresh(account);

  expect(reading.rows).toHaveLength(50);
  expect(reading.rows.at(-1)?.request.requestId).toBe("asked-5");
  expect(reading.counts("operation").get("account-details")).toBe(50);
});

const EVERYTHING = rowQuestion(readFilter({}));

/** Without those that no journal has: a second request of an id, a result of nothing, an attempt before it. */
function plausible(events: readonly AccountEvent[]): AccountEvent[] {
  const stages = new Map<string, string>();
  return events.filter((event) => {
    if (!("requestId" in event)) return false;
    const stage = stages.get(event.requestId);
    const isNext =
      event.kind === "settled"
        ? stage === "accepted"
        : event.kind === "attempted"
          ? stage === "settled"
          : stage === undefined;
    if (isNext) stages.set(event.requestId, event.kind);
    return isNext;
  });
}

const FACETS = ["problem", "operation", "carrier"] as const;

/** What was counted once and is no longer there counts as none. */
function contents(reading: RowReading<(typeof FACETS)[number]>) {
  const counts = FACETS.map((facet) => new Map([...reading.counts(facet)].filter(([, count]) => count > 0)));
  return { ids: reading.rows.map(({ request }) => request.requestId), counts };
}

function readAnew<Facet extends string>(account: AccountReading, question: RowQuestion<Facet>): RowReading<Facet> {
  const reading = new RowReading(question);
  reading.refresh(account);
  return reading;
}

function accountOf(events: readonly AccountEvent[]): AccountReading {
  const account = new AccountReading();
  follow(account, opened(), ...events);
  return account;
}

function follow(account: AccountReading, ...events: readonly AccountEvent[]): void {
  for (const event of events) account.take({ number: account.version + 1, event });
}
