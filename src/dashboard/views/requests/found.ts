import { computed, effect, signal } from "@preact/signals";
import type { Row } from "../../live/account-reading.ts";
import { cents } from "../../../gateway/domain/kes.ts";
import { RowReading } from "../../live/row-reading.ts";
import { route } from "../../route.ts";
import { account } from "../../store.ts";
import { priceOf, problemsOf, type RequestProblem } from "./problems.ts";
import { FACETS, readFilter, rowQuestion } from "./filter.ts";

/** The filter as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify(readFilter(route.value.query)));

export const filter = computed(() => (void asked.value, readFilter(route.peek().query)));

const FOLD = "kredo-fold";

/** Whether requests for the same are one row. */
export const isFolding = signal(localStorage.getItem(FOLD) !== "no");
effect(() => localStorage.setItem(FOLD, isFolding.value ? "yes" : "no"));

/** Leaves the latest of the requests for the same. */
function foldRepeats(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<Row["asked"]>();
  return rows.filter(({ asked }) => {
    if (asked.length > 1 && seen.has(asked)) return false;
    seen.add(asked);
    return true;
  });
}

const reading = computed(() => new RowReading(rowQuestion(filter.value)));

/** The account's rows that match the URL, newest first. */
export const found = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current);
  const [problem, operation, carrier] = FACETS.map((facet) => value.counts(facet));
  const { rows } = value;
  return {
    rows,
    folded: isFolding.value ? foldRepeats(rows) : rows,
    counts: { problem, operation, carrier },
    total: current?.rows.length ?? 0,
  };
});

const AT_RISK = ["unknown", "held", "twice"] as const satisfies readonly RequestProblem[];

/** The price of every order at risk, by what is wrong with it. */
const riskReading = new RowReading<"risk">({
  facetsOf: (row) => ({ risk: problemsOf(row) }),
  weigh: (row) => priceOf(row),
  asked: new Map([["risk", ""]]),
});

/** The money at risk in the whole account, whatever is filtered. */
export const atRisk = computed(() => {
  const { reading: current } = account.value ?? {};
  if (current !== undefined) riskReading.refresh(current);
  return AT_RISK.flatMap((problem) => {
    const amount = cents(riskReading.counts("risk").get(problem) ?? 0);
    return amount === 0 ? [] : [{ problem, amount }];
  });
});
