import { orderFields } from "../../../gateway/domain/order.ts";
import { latestResult } from "../../../gateway/account/transaction.ts";
import { isLatest, type Row } from "../../live/account-reading.ts";
import type { RowQuestion } from "../../live/row-reading.ts";
import { problemsOf } from "./problems.ts";

/** The filter in the URL; an empty string matches everything. */
export interface Filter {
  readonly problem: string;
  readonly operation: string;
  readonly carrier: string;
  readonly text: string;
}

/** The conditions with only a few values, which can be counted. */
export const FACETS = ["problem", "operation", "carrier"] as const;
type Facet = (typeof FACETS)[number];

export function readFilter(query: Readonly<Record<string, string>>): Filter {
  const { problem = "", operation = "", carrier = "", text = "" } = query;
  return { problem, operation, carrier, text };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

/** Turns the filter into a question about the account's rows. */
export function rowQuestion(filter: Filter): RowQuestion<Facet> {
  const isMeant = textTest(filter.text);
  return {
    asked: new Map(FACETS.map((facet) => [facet, filter[facet]])),
    facetsOf: (row) =>
      isLatest(row) && row.sale.some(isMeant)
        ? {
            problem: problemsOf(row),
            operation: [row.request.operation],
            // The carrier of a number is looked up at acceptance.
            carrier: [...new Set(row.sale.flatMap(({ transaction }) => transaction?.accepted.carrier ?? []))],
          }
        : undefined,
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
