import type { Evidence } from "./grade/evidence.ts";
import { notAssessed } from "./grade/evidence.ts";
import type { Expectation } from "./check-schema.ts";
import type { Check } from "./report.ts";

/** Questions that only the application itself could answer, and that no check asked. */
export function listMissingProbes(expectations: readonly Expectation[], { state }: Evidence): Check[] {
  if (state.transactions.size === 0) return [];
  const asksStatus = expectations.some(({ probe }) => probe !== undefined);
  const asksBooks = expectations.some(({ reconcile }) => reconcile !== undefined);
  return [...(asksStatus ? [] : [ONCE, STATUS]), ...(asksBooks ? [] : [BOOKS])];
}

const ONCE: Check = {
  name: "each result is credited exactly once",
  verdict: notAssessed("a probe that reads what was credited: a request to the application or a command, with a json_path"),
  isAboutMoney: true,
};

const STATUS: Check = {
  name: "each order ends in the right status",
  verdict: notAssessed("a probe that reads an order's status"),
};

const BOOKS: Check = {
  name: "the books agree with the ledger",
  verdict: notAssessed("a reconcile check with the application's total, or its list of charges"),
  isAboutMoney: true,
};
