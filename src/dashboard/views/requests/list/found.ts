import { computed } from "@preact/signals";
import { type Row, saleOf, withoutOtherRequests } from "../../../live/sales.ts";
import { currentRoute } from "../../../base/route.ts";
import { account } from "../../../live/store.ts";
import { findSales, MOST_PARTS, readFilter } from "./filter.ts";

/** The filter as a string, so that opening a row does not change it. */
const asked = computed(() => JSON.stringify(readFilter(currentRoute.value.query)));

export const filter = computed(() => (void asked.value, readFilter(currentRoute.peek().query)));

/** What stands under a sale: one of its orders, or how many more there are, of which that is the first. */
export interface SaleOrder {
  readonly under: Row;
  readonly order: Row;
  readonly more?: number;
}

/** A line of the list. */
export type Listed = Row | SaleOrder;

/** Returns the row that a line shows. */
export function shownRow(line: Listed): Row {
  return "under" in line ? withoutOtherRequests(line.order) : line;
}

/** A line stays the same as long as it is shown. */
const parts = new WeakMap<Row, SaleOrder>();

function partOf(order: Row, under: Row): SaleOrder {
  const known = parts.get(order);
  if (known?.under === under) return known;
  const part = { under, order };
  parts.set(order, part);
  return part;
}

/** The orders of what was sold twice stand under it, oldest first. */
function withParts(row: Row): Listed | readonly Listed[] {
  const { sale } = row;
  if (!saleOf(row).isSoldTwice) return row;
  const lines: Listed[] = [row, ...sale.slice(0, MOST_PARTS).map((order) => partOf(order, row))];
  const next = sale[MOST_PARTS];
  if (next !== undefined) lines.push({ under: row, order: next, more: sale.length - MOST_PARTS });
  return lines;
}

/** The account's sales that match the URL, newest first. */
export const matchingSales = computed(() => {
  const { sales: rows, counts } = findSales(account.value?.reading.rows ?? [], filter.value);
  const requests = rows.reduce((sum, { sale }) => sum + sale.length, 0);
  return { rows, listed: rows.flatMap(withParts), requests, counts };
});
