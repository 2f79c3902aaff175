import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { RISKS } from "../../../src/dashboard/live/problems.ts";
import { isLatest, priceOf, saleOf } from "../../../src/dashboard/live/sales.ts";
import { findSales } from "../../../src/dashboard/views/requests/list/filter.ts";
import {
  accepted,
  appliedRules,
  clientLeft,
  cut,
  observationsOf,
  opened,
  refused,
  settled,
} from "../../support/finding-events.ts";

const lost = appliedRules({ breakage: "reset" });
const hanging = appliedRules({ breakage: "hang" });
const slow = appliedRules({ ack: { delay: 3_000 } });

const stuck = { plan: { ...accepted("", 0).plan, settleAfter: "never" } } as const;
const traits = { isOfKredo: true } as const;

/** The sales that the page shows as sold twice, and the pairs of requests that a finding says were sold twice, by their ids. */
function toldOf(events: readonly AccountEvent[]): { readonly page: string[][]; readonly findings: string[][] } {
  const reading = readingOf(events);
  const twice = reading.rows.filter((row) => isLatest(row) && saleOf(row).isSoldTwice);
  return {
    page: twice.map(({ sale }) => sale.map(({ request }) => request.requestId)),
    findings: observationsOf("sold-twice", events).map(({ exchanges }) =>
      exchanges.flatMap((one) => ("requestId" in one ? [one.requestId] : [])),
    ),
  };
}

function readingOf(events: readonly AccountEvent[]): AccountReading {
  const reading = new AccountReading();
  for (const [index, event] of [opened(), ...events].entries()) reading.take({ number: index + 1, event });
  return reading;
}

test("an order after one that was answered as accepted is another, though the answer before that was lost", () => {
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 2), accepted("three", 60)];

  expect(toldOf(events)).toEqual({ page: [["one", "two"]], findings: [["one", "two"]] });
});

type Sent = (requestId: string, seconds: number) => readonly AccountEvent[];

const WAYS: Readonly<Record<string, Sent>> = {
  answered: (id, at) => [accepted(id, at)],
  lost: (id, at) => [accepted(id, at, { rules: lost })],
  hanging: (id, at) => [accepted(id, at, { rules: hanging })],
  slow: (id, at) => [accepted(id, at, { rules: slow })],
  left: (id, at) => [accepted(id, at), clientLeft(id, at + 0.1, 100)],
  cut: (id, at) => [cut(id, at)],
  refused: (id, at) => [refused(id, at, { code: 429 })],
  "lost and failed": (id, at) => [accepted(id, at, { rules: lost }), settled(id, at + 0.01, { outcome: "failed" })],
  "answered and failed": (id, at) => [accepted(id, at), settled(id, at + 0.01, { outcome: "failed" })],
  "slow and failed": (id, at) => [accepted(id, at, { rules: slow }), settled(id, at + 0.01, { outcome: "failed" })],
};

test("the page shows an order as sold twice where a finding says that it was, and nowhere else", () => {
  const request = fc.record({
    way: fc.constantFrom(...Object.keys(WAYS)),
    wait: fc.constantFrom(0.3, 1.2, 5, 120, 700),
  });
  fc.assert(
    fc.property(fc.array(request, { minLength: 2, maxLength: 5 }), (requests) => {
      let at = 0;
      const events = requests.flatMap(({ way, wait }, index) => WAYS[way]?.(`r${index}`, (at += wait)) ?? []);
      const { page, findings } = toldOf(events);
      const isWithin = (pair: readonly string[]) => page.some((sale) => pair.every((id) => sale.includes(id)));
      const unfound = page.filter((sale) => !findings.some((pair) => pair.every((id) => sale.includes(id))));
      expect({ unfound, unseen: findings.filter((pair) => !isWithin(pair)) }).toEqual({ unfound: [], unseen: [] });
    }),
    { numRuns: 500 },
  );
});

const COSTLY: Readonly<Record<string, Sent>> = {
  ...WAYS,
  "lost and stuck": (id, at) => [accepted(id, at, { rules: lost, ...stuck })],
  "lost and sold": (id, at) => [accepted(id, at, { rules: lost }), settled(id, at + 0.01)],
  "stuck, by Kredo": (id, at) => [accepted(id, at, { traits, ...stuck })],
  "lost and sold, by Kredo": (id, at) => [accepted(id, at, { rules: lost, traits }), settled(id, at + 0.01)],
};

test("each figure of the money at risk is the sum of the costs of the rows behind its link", () => {
  const request = fc.record({
    way: fc.constantFrom(...Object.keys(COSTLY)),
    wait: fc.constantFrom(0.3, 1.2, 5, 120, 700),
  });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 8 }), (requests) => {
      let at = 0;
      const events = requests.flatMap(({ way, wait }, index) => COSTLY[way]?.(`r${index}`, (at += wait)) ?? []);
      const { rows, atRisk } = readingOf(events);
      const sums = RISKS.map((problem) =>
        findSales(rows, { problem, text: "" }).sales.reduce((sum, row) => sum + priceOf(row), 0),
      );
      expect(sums).toEqual(RISKS.map((risk) => atRisk.get(risk) ?? 0));
    }),
    { numRuns: 500 },
  );
});
