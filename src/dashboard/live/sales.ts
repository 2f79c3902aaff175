import { readRequest, type RequestReading } from "../../gateway/account/readings/request.ts";
import type { RequestRow } from "../../gateway/account/readings/requests.ts";
import { readSale, type SaleReading } from "../../gateway/account/readings/sale.ts";
import type { ClientLeft } from "../../gateway/account/events.ts";
import type { Transaction } from "../../gateway/account/transaction.ts";
import { addKes, type Kes } from "../../gateway/domain/kes.ts";
import { readProblems, type RequestProblem, type Risk, RISKS } from "./problems.ts";

/** A request with its response, and the state of its transaction. */
export interface Row {
  /** Increases from row to row, even when the journal is cleared. */
  readonly place: number;
  readonly request: RequestRow;
  /** Set if the request was accepted. */
  readonly transaction?: Transaction;
  /** Set if its client did not wait for its response, accepted or not. */
  left?: ClientLeft | undefined;
  /** The requests of its sale, oldest first; it is one of them. The latest stands for all of them. */
  sale: Row[];
  /** The number of the last event about the row. If it has grown, the row must be drawn again. */
  changedBy: number;
  /** The reading of its sale, if it stands for it; not that of another version. */
  read?: { readonly sale: Sale; readonly changedBy: number } | undefined;
}

/** A row, of which only its sale matters. */
export type RowWithSale = Pick<Row, "sale">;

/** A sale with its requests, in their order, and everything that is wrong with it. */
export interface Sale extends SaleReading {
  readonly requests: readonly RequestReading[];
  readonly problems: readonly RequestProblem[];
}

/** Returns whether a row stands for its sale. */
export function isLatest({ sale, place }: Row): boolean {
  return sale.at(-1)?.place === place;
}

/** Reads the sale that a row belongs to: again only after an event about one of its requests. */
export function saleOf({ sale }: RowWithSale): Sale {
  const latest = sale.at(-1);
  const known = latest?.read;
  if (known !== undefined && known.changedBy === latest?.changedBy) return known.sale;
  const requests = sale.map(({ request, transaction, left }) => readRequest(request.event, transaction ?? { left }));
  const sums = readSale(requests);
  const read = { requests, ...sums, problems: readProblems(sale, requests, sums) };
  if (latest !== undefined) latest.read = { sale: read, changedBy: latest.changedBy };
  return read;
}

/** The row as if there were no other request for the same. */
export function withoutOtherRequests(row: Row): Row {
  const one: Row = { ...row, sale: [], read: undefined };
  one.sale.push(one);
  return one;
}

/** What a sale costs, or holds. */
export function priceOf(row: RowWithSale): Kes {
  const { charged, held } = saleOf(row);
  return addKes(charged, held);
}

/** Returns why the price of a sale is at risk, if it is. */
export function moneyRiskOf(row: RowWithSale): Risk | undefined {
  return RISKS.find((risk) => saleOf(row).problems.includes(risk));
}
