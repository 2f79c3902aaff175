import { signal } from "@preact/signals";
import { isUnresolved } from "../../../../gateway/account/transaction.ts";
import type { Row } from "../../../live/sales.ts";

/** The request_ids of the rows whose callbacks are to be sent again. */
export const selected = signal<ReadonlySet<string>>(new Set());

/** The most callbacks that the control API resends at once. */
const MAX_AT_ONCE = 1_000;

/** Returns whether the callback can be sent again: its transaction must have settled. */
export function isResendable({ transaction }: Row): boolean {
  return transaction !== undefined && !isUnresolved(transaction.progress);
}

export function isSelected(row: Row): boolean {
  return selected.value.has(row.request.requestId) && isResendable(row);
}

export function select({ request: { requestId } }: Row, isSelected: boolean): void {
  const others = [...selected.value].filter((other) => other !== requestId);
  selected.value = new Set(isSelected ? [...others, requestId] : others);
}

export function selectAll(rows: readonly Row[]): void {
  const chosen = rows.filter(isResendable).slice(0, MAX_AT_ONCE);
  selected.value = new Set(chosen.map(({ request }) => request.requestId));
}
