import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { Account } from "../../../src/gateway/engine/account.ts";
import { reportOnAccount } from "../../../src/verdict/rehearsal/account-report.ts";
import type { Report } from "../../../src/verdict/rehearsal/report.ts";
import { buyAirtime, callbacksTo, WALL_START } from "../../support/world.ts";
import { watchedWorld } from "../../support/watched-world.ts";

const RECEIVER = callbacksTo("http://localhost:3000/hook");

test("passes what was seen, and says what only a rehearsal could see", async () => {
  const { account, findings } = watchedWorld({ account: { callbacks: RECEIVER } });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const report = await reportOf(account, findings.of(account).list());

  expect(verdictsOf(report)).toEqual([
    ["findings: no defects", "passed"],
    ["callbacks: all acknowledged, acknowledged within 3s", "passed"],
    ["each result is credited exactly once", "not assessed"],
    ["each order ends in the right status", "not assessed"],
    ["the books agree with the ledger", "not assessed"],
  ]);
  expect(report).toMatchObject({ name: "account sandbox-key", seed: 1, clock: expect.stringMatching(/^manual/) });
  expect(report.timeline).toHaveLength(2);
  expect(report.wallet).toHaveLength(2);
});

test.each<[string, CallbackOutcome]>([
  ["another code", { kind: "answered", status: 500, body: "" }],
  ["no answer", { kind: "timed_out" }],
])("fails an account whose callback got %s, with the exchange that shows it", async (_what, outcome) => {
  const { account, findings } = watchedWorld({ account: { callbacks: RECEIVER }, answer: () => outcome });
  const { requestId } = buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const report = await reportOf(account, findings.of(account).list());

  expect(report.checks[1]?.verdict).toMatchObject({
    is: "failed",
    exchanges: [{ kind: "callback", requestId, attempt: 1 }],
  });
});

test("says of an account that nobody used that there was nothing to see", async () => {
  const { account } = watchedWorld({ account: { callbacks: RECEIVER } });

  const report = await reportOf(account, []);

  expect(verdictsOf(report)).toEqual([
    ["findings: no defects", "not assessed"],
    ["callbacks: all acknowledged, acknowledged within 3s", "not assessed"],
  ]);
  expect(report).toMatchObject({ startedAt: WALL_START + 9_000, duration: 0, timeline: [] });
});

test("waits with its verdict for callbacks that are to come", async () => {
  const { account } = watchedWorld({ account: { callbacks: RECEIVER } });
  buyAirtime(account, 100);

  const report = await reportOf(account, []);

  expect(report.checks[1]?.verdict).toEqual({
    is: "not assessed",
    needs: "the end of 1 transaction that is not done; drain, or advance the clock",
  });
});

test("says how many requests were evicted", async () => {
  const { account } = watchedWorld({ account: { callbacks: RECEIVER } });
  buyAirtime(account, 100);

  const report = reportOnAccount({ name: "a", kept: account.read(), findings: [], evicted: 7, wallNow: WALL_START });

  expect(report.evicted).toBe(7);
});

async function reportOf(account: Account, findings: Report["findings"]): Promise<Report> {
  const { consumerKey: name, evicted } = account;
  return reportOnAccount({ name, kept: account.read(), findings, evicted, wallNow: WALL_START + 9_000 });
}

function verdictsOf({ checks }: Report): string[][] {
  return checks.map(({ name, verdict }) => [name, verdict.is]);
}
