import { computed, effect, signal } from "@preact/signals";
import { isLatest, type Row } from "../../live/account-reading.ts";
import { alone } from "../../live/read-sale.ts";
import { cents } from "../../../gateway/domain/kes.ts";
import { RowReading } from "../../live/row-reading.ts";
import { route } from "../../route.ts";
import { account } from "../../store.ts";
import { priceOf, riskOf } from "./problems.ts";
import { FACETS, readFilter, rowQuestion } from "./filter.ts";

/** The filter as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify(readFilter(route.value.query)));

export const filter = computed(() => (void asked.value, readFilter(route.peek().query)));

const FOLD = "kredo-fold";

/** Whether the requests of a sale are hidden. */
export const isFolding = signal(localStorage.getItem(FOLD) !== "no");
effect(() => localStorage.setItem(FOLD, isFolding.value ? "yes" : "no"));

/** A row of the list: a sale, or one of its requests under it. */
export interface Listed extends Row {
  readonly isPart?: true;
}

function withParts(row: Listed): readonly Listed[] {
  if (row.sale.length === 1) return [row];
  return [row, ...row.sale.map((one): Listed => ({ ...alone(one), isPart: true })).reverse()];
}

const reading = computed(() => new RowReading(rowQuestion(filter.value)));

/** The account's sales that match the URL, newest first. */
export const found = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current);
  const [problem, operation, carrier] = FACETS.map((facet) => value.counts(facet));
  const rows: readonly Listed[] = value.rows;
  return {
    rows,
    listed: isFolding.value ? rows : rows.flatMap(withParts),
    requests: rows.reduce((sum, { sale }) => sum + sale.length, 0),
    counts: { problem, operation, carrier },
    total: current?.rows.length ?? 0,
  };
});

/** The price of every sale at risk, by what is wrong with it. */
const riskReading = new RowReading<"risk">({
  facetsOf: (row) => {
    const risk = isLatest(row) ? riskOf(row) : undefined;
    return risk && { risk: [risk] };
  },
  weigh: (row) => priceOf(row),
  asked: new Map([["risk", ""]]),
});

/** The money at risk in the whole account, whatever is filtered. */
export const atRisk = computed(() => {
  const { reading: current } = account.value ?? {};
  if (current !== undefined) riskReading.refresh(current);
  return (["unknown", "held", "sold-twice"] as const).flatMap((problem) => {
    const amount = cents(riskReading.counts("risk").get(problem) ?? 0);
    return amount === 0 ? [] : [{ problem, amount }];
  });
});
