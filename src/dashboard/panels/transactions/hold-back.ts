import type { Row } from "../../live/book.ts";

/** Rows, newest first, as one sees them who has begun to read. */
export interface HeldRows {
  readonly shown: readonly Row[];
  /** How many came since. */
  readonly fresh: number;
}

/** Keeps rows back that came after an event, so that nothing moves under the reader's eyes. */
export function holdBack(rows: readonly Row[], heldAt: number | undefined): HeldRows {
  if (heldAt === undefined) return { shown: rows, fresh: 0 };
  const fresh = rows.findIndex(({ request }) => request.number <= heldAt);
  // Another journal, or a snapshot in place of what was read: there is nothing left to be held still.
  return fresh <= 0 ? { shown: rows, fresh: 0 } : { shown: rows.slice(fresh), fresh };
}
