import * as z from "zod";
import { quoteText } from "../gateway/document/describe-value.ts";
import { amountValue } from "../gateway/document/values.ts";
import { matchesGlob } from "../gateway/domain/glob.ts";
import { formatKes, type Kes } from "../gateway/domain/kes.ts";
import type { Immutable } from "../gateway/domain/immutable.ts";
import { fieldsOf, type RequestRow } from "../gateway/account/readings/requests.ts";
import { ENDPOINTS } from "../gateway/domain/order.ts";
import { wholeNumber } from "./values.ts";

/** A query has only strings; JSON may have a number in their place, and means the same. */
const textValue = z.union([z.string(), z.number().transform(String)]);

/** Criteria for requests, in a query or in JSON, of refused ones as they were sent; omitted keys match anything. */
export const matchValue = z.strictObject({
  operation: z
    .enum([...ENDPOINTS, "unknown"])
    .describe("The endpoint.")
    .exactOptional(),
  phone_number: textValue.describe("The number, with * for any digits.").exactOptional(),
  amount: amountValue.exactOptional(),
  sender_id: textValue.exactOptional(),
  message: textValue.describe("Part of an SMS's text.").exactOptional(),
  status_code: z
    .union([wholeNumber, z.int().min(0)])
    .describe("The gateway's status code; 0 if a scenario cut the connection.")
    .exactOptional(),
});

export type ReadRequestFilter = Immutable<z.output<typeof matchValue>>;

interface Criterion {
  readonly key: keyof ReadRequestFilter;
  readonly wanted: string;
  /** As `wanted` is written. */
  readonly read: (row: RequestRow) => string | undefined;
  readonly holds: (found: string) => boolean;
}

function criteriaOf({ operation, phone_number, amount, sender_id, message, status_code }: ReadRequestFilter) {
  const criteria: Criterion[] = [];
  const add = (
    key: Criterion["key"],
    wanted: string | undefined,
    read: Criterion["read"],
    holds?: Criterion["holds"],
  ) => wanted !== undefined && criteria.push({ key, wanted, read, holds: holds ?? ((found) => found === wanted) });
  add("operation", operation, (row) => row.operation);
  add(
    "phone_number",
    phone_number,
    ({ phoneNumber }) => phoneNumber,
    (found) => matchesGlob(phone_number ?? "", found),
  );
  add("amount", shillings(amount), (row) => shillings(fieldsOf(row).amount));
  add("sender_id", sender_id, (row) => fieldsOf(row).senderId);
  add(
    "message",
    message,
    (row) => fieldsOf(row).message,
    (found) => found.includes(message ?? ""),
  );
  add("status_code", status_code?.toString(), ({ statusCode }) => `${statusCode}`);
  return criteria;
}

function shillings(amount: Kes | undefined): string | undefined {
  return amount === undefined ? undefined : formatKes(amount);
}

function isMet({ read, holds }: Criterion, row: RequestRow): boolean {
  const found = read(row);
  return found !== undefined && holds(found);
}

export function matchingRequests(rows: readonly RequestRow[], filter: ReadRequestFilter): readonly RequestRow[] {
  return criteriaOf(filter).reduce((left, criterion) => left.filter((row) => isMet(criterion, row)), rows);
}

/** Tells of the latest request that misses the fewest criteria, and the first of these; undefined if none misses any. */
export function describeNearest(rows: readonly RequestRow[], filter: ReadRequestFilter): string | undefined {
  const criteria = criteriaOf(filter);
  const missed = (row: RequestRow): Criterion[] => criteria.filter((criterion) => !isMet(criterion, row));
  const [nearest] = rows
    .map((row) => ({ row, differences: missed(row) }))
    .filter(({ differences }) => differences.length > 0)
    .toSorted(
      (left, right) => left.differences.length - right.differences.length || right.row.number - left.row.number,
    );
  const [first] = nearest?.differences ?? [];
  if (nearest === undefined || first === undefined) return undefined;
  const found = first.read(nearest.row);
  const has = found === undefined ? `no ${first.key}` : `${first.key} ${quoteText(found)}`;
  return `the nearest request, ${nearest.row.requestId}, has ${has}, not ${quoteText(first.wanted)}`;
}
