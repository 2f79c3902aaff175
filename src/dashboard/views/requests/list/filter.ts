import { latestResult } from "../../../../gateway/account/transaction.ts";
import { fieldsOf } from "../../../../gateway/account/readings/requests.ts";
import { kesAsNumber } from "../../../../gateway/domain/kes.ts";
import { clockTime, zone } from "../../../base/format.ts";
import { numberForms, wordsOf } from "../../../base/search-words.ts";
import { PROBLEMS } from "../../../live/problems.ts";
import { isLatest, type Row, type Sale, saleOf, withoutOtherRequests } from "../../../live/sales.ts";
import { cellsOf } from "./row-cells.ts";
import { callbackWords, stateWords } from "./words.ts";

/** The filter in the URL; an empty string matches everything. */
export interface Filter {
  readonly problem: string;
  readonly text: string;
}

export function readFilter({ problem = "", text = "" }: Readonly<Record<string, string>>): Filter {
  return { problem, text };
}

export function isFiltering(filter: Filter): boolean {
  return Object.values(filter).some((asked) => asked.trim() !== "");
}

interface FoundSales {
  /** The rows that stand for them, newest first. */
  readonly sales: readonly Row[];
  /** Maps each problem to the number of sales with it that match the text; "" counts all of them. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Finds the sales among rows, which are oldest first, that match a filter. */
export function findSales(rows: readonly Row[], { problem, text }: Filter): FoundSales {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  const sales = rows.toReversed().filter((row) => {
    if (!isLatest(row) || (words.length > 0 && !hasAll(row, words))) return false;
    const values: readonly string[] = ["", ...saleOf(row).problems];
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return values.includes(problem);
  });
  return { sales, counts };
}

function hasAll(row: Row, words: readonly string[]): boolean {
  const text = textOf(row);
  return words.every((word) => text.includes(word));
}

/** A reading of a sale always has the same text in one time zone. */
const texts = new WeakMap<Sale, { readonly zone: string; readonly text: string }>();

/** So many orders stand under a sale. */
export const MOST_PARTS = 5;

/** Everything that the row of a sale shows, and those under it, and what its requests contain. */
function textOf(row: Row): string {
  const sale = saleOf(row);
  const known = texts.get(sale);
  if (known?.zone === zone.value) return known.text;
  const rows = row.sale.length === 1 ? [row] : [row, ...row.sale.slice(0, MOST_PARTS).map(withoutOtherRequests)];
  const titles = sale.problems.map((problem) => PROBLEMS[problem]);
  const text = [...rows.flatMap(shownIn), ...titles, ...row.sale.flatMap(containedIn)].join("\n").toLowerCase();
  texts.set(sale, { zone: zone.value, text });
  return text;
}

function shownIn(row: Row): readonly (string | undefined)[] {
  const { got, carrier, ...others } = cellsOf(row);
  // Whether a callback waits or is in flight depends on the time.
  const told = [0, Infinity].map((now) => callbackWords(row, now)?.text);
  return [got.text, carrier?.text, ...told, stateWords(row).text, ...Object.values(others), clockTime(row.request.at)];
}

function containedIn({ request, transaction }: Row): readonly (string | number | undefined)[] {
  const { requestId, path, unknownKey, statusCode, description, phoneNumber = "", hint, body, rules } = request;
  const { amount, message, senderId } = fieldsOf(request);
  const sent = [requestId, path, unknownKey, statusCode, description, hint, body, message, senderId];
  const fired = rules?.fired.map(({ scenario, rule }) => `${scenario}: ${rule}`) ?? [];
  const forms = [...numberForms(phoneNumber), amount && kesAsNumber(amount).toFixed(2)];
  return [...sent, ...forms, ...fired, ...resultOf(transaction)];
}

function resultOf(transaction: Row["transaction"]): readonly (string | number)[] {
  if (transaction === undefined || !("settled" in transaction.progress)) return [];
  const { resultCode, resultDesc } = latestResult(transaction.progress);
  return [resultCode, resultDesc];
}
