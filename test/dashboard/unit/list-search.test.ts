import { expect, test } from "vitest";
import { clockTime } from "../../../src/dashboard/base/format.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { PROBLEMS } from "../../../src/dashboard/live/problems.ts";
import { isLatest, type Row, saleOf, withoutOtherRequests } from "../../../src/dashboard/live/sales.ts";
import { findSales } from "../../../src/dashboard/views/requests/list/filter.ts";
import { cellsOf } from "../../../src/dashboard/views/requests/list/row-cells.ts";
import { callbackWords } from "../../../src/dashboard/views/requests/list/words.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import {
  accepted,
  after,
  answered,
  appliedRules,
  attempted,
  cut,
  opened,
  queried,
  refused,
  reversed,
  settled,
  unread,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const lost = appliedRules({ breakage: "reset" });
const twice = airtime(1_075, "254711000001");
const told = (id: string, at: number, changes = {}): AccountEvent[] => [settled(id, at), attempted(id, at, changes)];

/** A row of each kind. */
const EVENTS = [
  accepted("fine", 1),
  ...told("fine", 2),
  accepted("lost", 10, { rules: lost, order: twice }),
  accepted("again", 11, { order: twice }),
  ...told("lost", 12),
  ...told("again", 13),
  accepted("failed", 20, { order: sms("Habari Wanjiku", "254733000001"), carrier: "airtel", ported: true }),
  settled("failed", 21, { outcome: "failed", resultDesc: "Imekataliwa." }),
  attempted("failed", 21, { outcome: answered(500), url: "http://shop.test:3000/hooks" }),
  accepted("unreadable", 30, { order: airtime(70) }),
  ...told("unreadable", 31, { scripted: { malformed: true } }),
  accepted("unheard", 40, { order: airtime(80) }),
  ...told("unheard", 41, { outcome: { kind: "refused" } }),
  accepted("back", 50, { order: airtime(90) }),
  ...told("back", 51),
  reversed("back", 52),
  accepted("waiting", 60, { order: airtime(95), carrier: "telkom" }),
  accepted("by-page", 70, { order: airtime(99), traits: { isOfKredo: true } }),
  refused("poor", 80, { code: 402 }),
  unread("typed", 81, {
    code: 422,
    body: '{"phone_number":"0712 345 678","amount":"5"}',
    validationErrors: { phone_number: ["Must have 12 digits."] },
  }),
  cut("cut", 90),
  queried("asked", 91),
];

test("each word that a row or an order under it shows finds it", () => {
  const { rows } = accountOf(EVENTS);
  const sales = rows.filter(isLatest);

  const missed = sales.flatMap((row) =>
    wordsOf(row)
      .filter((word) => !findSales(rows, { problem: "", text: word }).sales.includes(row))
      .map((word) => `${row.request.requestId}: ${word}`),
  );

  expect(missed).toEqual([]);
  expect(sales).toHaveLength(12);
});

test("what is searched for is found only where each of its words is", () => {
  const { rows } = accountOf(EVENTS);

  const found = ["listening localhost", "sold twice 1,075.00", "in flight", "0712345678 422", "by Kredo"].map((text) =>
    findSales(rows, { problem: "", text }).sales.map(({ request }) => request.requestId),
  );

  expect(found).toEqual([["unheard"], ["again"], [], ["typed"], ["by-page"]]);
});

test.each(["254733000001", "+254733000001", "0733000001", "+254 733 000 001", "0733 000 001"])(
  "a number is found at each key while it is typed: %s",
  (number) => {
    const { rows } = accountOf(EVENTS);
    const typed = Array.from(number, (_, index) => number.slice(0, index + 1));

    const missed = typed.filter((text) => {
      const { sales } = findSales(rows, { problem: "", text });
      return !sales.some(({ request }) => request.requestId === "failed");
    });

    expect(missed).toEqual([]);
  },
);

test("an order is found by what became of it after it was searched for", () => {
  const account = accountOf(EVENTS);
  const search = () => findSales(account.rows, { problem: "", text: "telkom sold" }).sales.length;
  const before = search();

  follow(account, ...told("waiting", 100));

  expect({ before, after: search() }).toEqual({ before: 0, after: 1 });
});

function wordsOf(row: Row): readonly string[] {
  const shown = row.sale.length === 1 ? [row] : [row, ...row.sale.map(withoutOtherRequests)];
  const texts = shown.flatMap((one) => {
    const { got, carrier, ...others } = cellsOf(one);
    const words = [got, carrier, callbackWords(one, after(1_000))].map((words) => words?.text ?? "");
    return [...words, ...Object.values(others), clockTime(one.request.at)];
  });
  const titles = saleOf(row).problems.map((problem) => PROBLEMS[problem]);
  return [...texts, ...titles].join(" ").split(/\s+/).filter(Boolean);
}

function accountOf(events: readonly AccountEvent[]): AccountReading {
  const account = new AccountReading();
  follow(account, opened(), ...events);
  return account;
}

function follow(account: AccountReading, ...events: readonly AccountEvent[]): void {
  for (const event of events) account.take({ number: account.version + 1, event });
}
