import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { withoutOtherRequests } from "../../../src/dashboard/live/sales.ts";
import { answerWords } from "../../../src/dashboard/views/requests/list/words.ts";
import {
  accepted,
  answered,
  appliedRules,
  attempted,
  clientLeft,
  opened,
  queried,
  refused,
  settled,
} from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { finding } from "./finding.ts";

test("drops a finding once none of it holds any more", () => {
  const account = accountOf([]);
  account.notice(finding("sold-twice", ""));
  account.notice(finding("repeated-order", ""));

  account.notice({ ...finding("sold-twice", ""), count: 0 });

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
    expect(rows.map((row) => answerWords(withoutOtherRequests(row)).text)).toEqual(["no answer", "200"]);
  },
);

test("starts over after a reset", () => {
  const account = accountOf([accepted("before", 1)]);

  follow(account, opened(), accepted("after", 1));

  expect(idsOf(account)).toEqual(["after"]);
});

const stuck = { plan: { ...accepted("", 0).plan, settleAfter: "never" }, order: airtime(60) } as const;
const lost = { rules: appliedRules({ breakage: "reset" }) };

/** A sale without any answer, one that is held for ever, a sale by two requests, an order that waits, and one that nobody was told of. */
const OLD = [
  accepted("lost", 1, lost),
  settled("lost", 2),
  accepted("stuck", 3, stuck),
  accepted("sold-twice", 1_000, lost),
  accepted("again", 1_001),
  settled("sold-twice", 1_002),
  settled("again", 1_002),
  attempted("again", 1_002),
  accepted("waiting", 2_000),
  accepted("untold", 3_000),
  settled("untold", 3_001),
  attempted("untold", 3_001, { outcome: answered(500) }),
  accepted("done", 4_000),
  settled("done", 4_001),
  attempted("done", 4_001),
];

test("keeps the latest requests, and older ones that are unfinished or at risk", () => {
  const account = followLong(new AccountReading(10), 12);

  const [kept, latest] = [idsOf(account).slice(0, -10), idsOf(account).slice(-10)];

  expect(kept).toEqual(["lost", "stuck", "sold-twice", "again", "waiting"]);
  expect(latest).toEqual(Array.from({ length: 10 }, (_, index) => `asked-${index + 2}`));
  expect(account.find("done")).toBeUndefined();
  expect({ older: account.older, evicted: account.evicted }).toEqual({ older: 4, evicted: 0 });
});

test("lets go of an older request when nothing of it is to come any more", () => {
  const account = followLong(new AccountReading(10), 12);

  follow(account, settled("waiting", 5_000), attempted("waiting", 5_000));

  expect(account.find("waiting")).toBeUndefined();
  expect(account.older).toBe(5);
});

test("counts a callback no longer as undelivered once it was sent again, although its request is no longer kept", () => {
  const account = followLong(new AccountReading(3), 12);
  const before = account.undelivered;

  follow(account, attempted("untold", 5_000, { attempt: 2 }));

  expect({ isKept: account.find("untold") !== undefined, before, after: account.undelivered }).toEqual({
    isKept: false,
    before: 1,
    after: 0,
  });
});

test("counts all undelivered callbacks, and again as delivered only those that a journal may still have", () => {
  const account = new AccountReading(3);
  const ids = Array.from({ length: 100 }, (_, index) => `order-${index}`);
  follow(account, opened());
  for (const id of ids) follow(account, accepted(id, 1), settled(id, 1), attempted(id, 1, { outcome: answered(500) }));
  const before = account.undelivered;

  const after = ["order-99", "order-90", "order-0"].map((id) => {
    follow(account, attempted(id, 2, { attempt: 2 }));
    return account.undelivered;
  });

  expect({ before, after }).toEqual({ before: 100, after: [99, 98, 98] });
});

test("says the same sums however few requests it keeps", () => {
  const few = sumsOf(followLong(new AccountReading(3), 100));

  expect(few).toEqual(sumsOf(followLong(new AccountReading(Infinity), 100)));
  expect(few).toMatchObject({ undelivered: 1, requests: 107 });
  expect([...few.atRisk.keys()].sort()).toEqual(["held", "sold-twice", "unknown"]);
});

function sumsOf({ atRisk, undelivered, entryCount, older, rows }: AccountReading) {
  return { atRisk, undelivered, entryCount, requests: older + rows.length };
}

function followLong(account: AccountReading, more: number): AccountReading {
  const others = Array.from({ length: more }, (_, index) => queried(`asked-${index}`, 4_100));
  follow(account, opened(), ...OLD, ...others);
  return account;
}

function idsOf({ rows }: AccountReading): string[] {
  return rows.map(({ request }) => request.requestId);
}

function accountOf(events: readonly AccountEvent[]): AccountReading {
  const account = new AccountReading();
  follow(account, opened(), ...events);
  return account;
}

function follow(account: AccountReading, ...events: readonly AccountEvent[]): void {
  for (const event of events) account.take({ number: account.version + 1, event });
}
