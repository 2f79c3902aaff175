/** One charge, as the gateway reported it. */
export interface BookEntry {
  readonly customer: string;
  readonly order: string;
  readonly requestId: string;
  readonly cents: number;
}

/** A charge or a balance of the wire in cents: a JSON number carries two decimals exactly enough for that. */
export function inCents(decimal: number): number {
  return Math.round(decimal * 100);
}

export function booksAsJson(entries: readonly BookEntry[]): unknown {
  const cents = entries.reduce((sum, entry) => sum + entry.cents, 0);
  return {
    total: shillings(cents),
    charges: entries.map((entry) => ({
      request_id: entry.requestId,
      order: entry.order,
      charge: shillings(entry.cents),
    })),
  };
}

/** The books of one customer, or everybody's. */
export function booksOf(customer: string | null, entries: readonly BookEntry[]): BookEntry[] {
  return entries.filter((entry) => customer === null || entry.customer === customer);
}

function shillings(cents: number): string {
  return (cents / 100).toFixed(2);
}
