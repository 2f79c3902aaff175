import { computed, effect, signal } from "@preact/signals";
import { withoutOtherRequests, type Row } from "../../../live/sales.ts";
import { currentRoute } from "../../../base/route.ts";
import { account } from "../../../live/store.ts";
import { findSales, readFilter } from "./filter.ts";

/** The filter as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify(readFilter(currentRoute.value.query)));

export const filter = computed(() => (void asked.value, readFilter(currentRoute.peek().query)));

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
  return [row, ...row.sale.map((one): Listed => ({ ...withoutOtherRequests(one), isPart: true })).reverse()];
}

/** The account's sales that match the URL, newest first. */
export const matchingSales = computed(() => {
  const { sales, counts } = findSales(account.value?.reading.rows ?? [], filter.value);
  const rows: readonly Listed[] = sales;
  return {
    rows,
    listed: isFolding.value ? rows : rows.flatMap(withParts),
    requests: rows.reduce((sum, { sale }) => sum + sale.length, 0),
    counts,
  };
});
