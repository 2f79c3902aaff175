import type { AppMap } from "../application/app-map.ts";
import type { Expectation } from "./check-schema.ts";
import { type Evidence, notAssessed } from "./grade/evidence.ts";
import type { Check } from "./report.ts";

interface Question {
  readonly name: string;
  readonly isAboutMoney: boolean;
  /** The check that asks the question. */
  readonly check: "probe" | "reconcile";
  /** The part of the app map that asks the question. */
  readonly key: "balance" | "status" | "books";
  readonly needs: string;
}

const QUESTIONS: readonly Question[] = [
  {
    name: "each result is credited exactly once",
    isAboutMoney: true,
    check: "probe",
    key: "balance",
    needs: "a probe that reads what was credited: a request to the application or a command, with a json_path",
  },
  {
    name: "each order ends in the right status",
    isAboutMoney: false,
    check: "probe",
    key: "status",
    needs: "a probe that reads an order's status",
  },
  {
    name: "the books agree with the ledger",
    isAboutMoney: true,
    check: "reconcile",
    key: "books",
    needs: "a reconcile check with the application's total, or its list of charges",
  },
];

/** Lists questions that only the application could answer, and that neither a check nor the app map asks. */
export function listMissingProbes(expectations: readonly Expectation[], { state }: Evidence, map?: AppMap): Check[] {
  if (state.transactions.size === 0) return [];
  return QUESTIONS.filter(
    ({ check, key }) => map?.[key] === undefined && expectations.every((one) => one[check] === undefined),
  ).map(({ name, isAboutMoney, key, needs }) => ({
    name,
    verdict: notAssessed(map === undefined ? needs : `${key} in the app map`),
    ...(isAboutMoney && { isAboutMoney }),
  }));
}
