import { kesAsNumber } from "../../../../gateway/domain/kes.ts";
import { fieldsOf } from "../../../../gateway/account/readings/requests.ts";
import { formatInstant } from "../../../../gateway/domain/time.ts";
import { isUnresolved, latestResult } from "../../../../gateway/account/transaction.ts";
import { type Row, saleOf } from "../../../live/sales.ts";
import { backendAndCustomerOf } from "./backend-and-customer.tsx";
import { answerWords, stateWords } from "./words.ts";

/** A sale as it is exported, with the control API's names. Missing values are null. */
function exportedRow(row: Row): Readonly<Record<string, string | number | null>> {
  const { requestId, at, operation, method, path, description, phoneNumber, hint } = row.request;
  const { amount, message = null, senderId = null } = fieldsOf(row.request);
  const { asked, sold, notified, charged, held } = saleOf(row);
  const { knows = null, got = null } = backendAndCustomerOf(row) ?? {};
  const rules = row.sale.flatMap(({ request }) => request.rules?.fired ?? []);
  return {
    at: formatInstant(at),
    request_id: requestId,
    operation,
    method,
    path,
    answered: answerWords(row).text,
    description,
    state: stateWords(row).text,
    asked,
    sold,
    told: notified,
    known: knows,
    got,
    paid: kesAsNumber(charged),
    held: kesAsNumber(held),
    phone_number: phoneNumber ?? null,
    amount: amount === undefined ? null : kesAsNumber(amount),
    message,
    sender_id: senderId,
    ...resultOf(row),
    rules: rules.map(({ scenario, rule }) => `${scenario}: ${rule}`).join("; "),
    hint: hint ?? null,
  };
}

function resultOf({ transaction }: Row): Record<"carrier" | "result_code" | "result_desc", string | number | null> {
  if (transaction === undefined) return { carrier: null, ...UNSETTLED };
  const { accepted, progress } = transaction;
  if (isUnresolved(progress)) return { carrier: accepted.carrier, ...UNSETTLED };
  const { resultCode, resultDesc } = latestResult(progress);
  return { carrier: accepted.carrier, result_code: resultCode, result_desc: resultDesc };
}

const UNSETTLED = { result_code: null, result_desc: null } as const;

/** Formats rows as CSV (RFC 4180), with a header. */
export function rowsAsCsv(rows: readonly Row[]): string {
  const records = rows.map(exportedRow);
  const lines = records.map((record) => Object.values(record).map(csvField).join(","));
  return [Object.keys(records[0] ?? {}).join(","), ...lines, ""].join("\r\n");
}

/** Prefixes text that a spreadsheet would treat as a formula with a quote (OWASP, CSV Injection). */
function csvField(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
