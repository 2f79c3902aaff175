import { readRequest } from "../../gateway/account/readings/request.ts";
import { readSale } from "../../gateway/account/readings/sale.ts";
import type { Row, Sale } from "./account-reading.ts";

/** Reads the sale that a row belongs to: again only after an event about one of its requests. */
export function saleOf({ sale }: Pick<Row, "sale">): Sale {
  const latest = sale.at(-1);
  const known = latest?.read;
  if (known !== undefined && known.changedBy === latest?.changedBy) return known.sale;
  const requests = sale.map(({ request, transaction, left }) => readRequest(request.event, transaction ?? { left }));
  const read = { requests, ...readSale(requests) };
  if (latest !== undefined) latest.read = { sale: read, changedBy: latest.changedBy };
  return read;
}

/** The row as if there were no other request for the same. */
export function alone(row: Row): Row {
  const one: Row = { ...row, sale: [], read: undefined };
  one.sale.push(one);
  return one;
}
