import { orderFields } from "../../../../gateway/domain/order.ts";
import { latestResult } from "../../../../gateway/account/transaction.ts";
import { isLatest, type Row, saleOf } from "../../../live/sales.ts";

/** The filter in the URL; an empty string matches everything. */
export interface Filter {
  readonly problem: string;
  readonly operation: string;
  readonly carrier: string;
  readonly text: string;
}

/** The conditions with only a few values, which can be counted. */
const FACETS = ["problem", "operation", "carrier"] as const;
type Facet = (typeof FACETS)[number];

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { problem = "", operation = "", carrier = "", text = "" } = query;
  return { problem, operation, carrier, text };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

interface FoundSales {
  /** The rows that stand for them, newest first. */
  readonly sales: readonly Row[];
  /** Maps each value of a facet to the number of sales with it that match all other conditions; "" counts all of them. */
  readonly counts: Readonly<Record<Facet, ReadonlyMap<string, number>>>;
}

/** Finds the sales among rows, which are oldest first, that match a filter. */
export function findSales(rows: readonly Row[], filter: Filter): FoundSales {
  const isMeant = textTest(filter.text);
  const counts = { problem: new Map<string, number>(), operation: new Map(), carrier: new Map() };
  const sales = rows.toReversed().filter((row) => {
    if (!isLatest(row) || !row.sale.some(isMeant)) return false;
    const values = valuesOf(row);
    const missed = FACETS.filter((facet) => filter[facet] !== "" && !values[facet].includes(filter[facet]));
    const counted = missed.length === 0 ? FACETS : missed.length === 1 ? missed : [];
    for (const facet of counted)
      for (const value of ["", ...values[facet]]) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
    return missed.length === 0;
  });
  return { sales, counts };
}

/** A sale can have several values of a facet, or none. */
function valuesOf(row: Row): Readonly<Record<Facet, readonly string[]>> {
  return {
    problem: saleOf(row).problems,
    operation: [row.request.operation],
    // The carrier of a number is looked up at acceptance.
    carrier: [...new Set(row.sale.flatMap(({ transaction }) => transaction?.accepted.carrier ?? []))],
  };
}

/** Finds any text of a request, and numbers as people write them: `0712 345 678`, `+254 712…`. */
function textTest(written: string): (row: Row) => boolean {
  const wanted = written.trim().toLowerCase();
  if (wanted === "") return () => true;
  const digits = /^\+?[\d\s()-]+$/.test(wanted) ? wanted.replaceAll(/\D/g, "") : wanted;
  const forms = [...new Set([wanted, digits, digits.replace(/^0/, "254")])];
  return (row) => {
    const texts = [textOf(row), resultOf(row)];
    return forms.some((form) => texts.some((text) => text.includes(form)));
  };
}

/** The searchable text of a request never changes, so it is cached. */
const texts = new WeakMap<Row["request"], string>();

function textOf({ request }: Row): string {
  const known = texts.get(request);
  if (known !== undefined) return known;
  const { requestId, path, unknownKey, statusCode, description, order, phoneNumber, hint, body, rules } = request;
  const fired = rules?.fired.map(({ scenario, rule }) => `${scenario}: ${rule}`) ?? [];
  const { amount, message, sender_id: senderId } = orderFields(order);
  const written = phoneNumber?.replaceAll(/[\s+()-]/g, "").replace(/^0/, "254");
  const text = [
    requestId,
    path,
    unknownKey,
    statusCode,
    description,
    written,
    amount?.toFixed(2),
    senderId,
    message,
    hint,
    body,
    ...fired,
  ]
    .join("\n")
    .toLowerCase();
  texts.set(request, text);
  return text;
}

function resultOf({ transaction }: Row): string {
  if (transaction === undefined || !("settled" in transaction.progress)) return "";
  const { resultCode, resultDesc } = latestResult(transaction.progress);
  return `${resultCode} ${resultDesc}`.toLowerCase();
}
