import { expect, test } from "vitest";
import { gradeTransactions } from "../../../src/verdict/rehearsal/grade/transactions.ts";
import { gradeWallet } from "../../../src/verdict/rehearsal/grade/wallet.ts";
import { evidenceOf, withoutBeginning } from "../../support/evidence.ts";
import { accepted, attempted, request, settled, toppedUp } from "../../support/finding-events.ts";

const NO_CALLBACK = { callback: { none: "no URL" } };
const paid = [accepted("a", 1), settled("a", 2, NO_CALLBACK), attempted("a", 2)];
const failed = [accepted("b", 1), settled("b", 2, { outcome: "failed", ...NO_CALLBACK })];

test("passes a wallet from which exactly so much was spent, whatever was added", () => {
  const verdict = gradeWallet({ spent: { eq: 5_000 } }, evidenceOf([...paid, ...failed, toppedUp(3, 20)]));

  expect(verdict).toEqual({ is: "passed", seen: "KES 50.00 spent in 1 charge" });
});

test("fails by a single cent, with the requests that cost something", () => {
  const verdict = gradeWallet({ spent: { eq: 4_999 } }, evidenceOf(paid));

  expect(verdict).toEqual({ is: "failed", seen: "KES 50.00 spent in 1 charge", exchanges: [request("a")] });
});

test("passes nothing spent where nothing is to be", () => {
  const verdict = gradeWallet({ spent: { eq: 0 } }, evidenceOf(failed));

  expect(verdict).toMatchObject({ is: "passed", seen: "KES 0.00 spent in 0 charges" });
});

test("knows what is available also when the beginning was evicted, but not what was spent", () => {
  const rest = withoutBeginning(evidenceOf(paid));

  const verdicts = [{ available: { gte: 1 } }, { spent: { eq: 5_000 } }].map((wanted) =>
    gradeWallet({ ...wanted }, rest),
  );

  expect(verdicts).toMatchObject([{ is: "passed" }, { is: "not assessed" }]);
});

test("does not assess money that is still held", () => {
  const verdict = gradeWallet({ spent: { eq: 0 } }, evidenceOf([accepted("a", 1)]));

  expect(verdict).toMatchObject({ is: "not assessed" });
});

test("counts transactions by state", () => {
  const evidence = evidenceOf([...paid, ...failed, accepted("c", 3)]);

  const verdict = gradeTransactions(
    { match: {}, succeeded: { eq: 1 }, failed: { eq: 1 }, queued: { eq: 1 } },
    evidence,
  );

  expect(verdict).toEqual({ is: "passed", seen: "1 queued, 1 succeeded, 1 failed of 3 transactions" });
});

test("fails with the transactions where one is in another state", () => {
  const verdict = gradeTransactions({ match: {}, failed: { eq: 0 } }, evidenceOf(failed));

  expect(verdict).toEqual({ is: "failed", seen: "1 failed of 1 transaction", exchanges: [request("b")] });
});

test("does not count transactions that were evicted", () => {
  const verdict = gradeTransactions({ match: {}, failed: { eq: 1 } }, withoutBeginning(evidenceOf(failed)));

  expect(verdict).toMatchObject({ is: "not assessed" });
});
