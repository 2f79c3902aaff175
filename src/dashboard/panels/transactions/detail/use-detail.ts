import { useEffect, useState } from "preact/hooks";
import type { TransactionDetail } from "../../../../testing/shapes.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { Row } from "../../../live/book.ts";
import { explain } from "../../../notices.ts";
import { accountKey } from "../../../store.ts";

/** What is known of one transaction. */
export type Reading =
  | { readonly is: "reading" }
  | { readonly is: "read"; readonly detail: TransactionDetail }
  | { readonly is: "failed"; readonly text: string; readonly again: () => void };

/** Reads a transaction from the control API, and again whenever an event about it has come. A request that was not accepted has none. */
export function useDetail(requestId: string, row: Row | undefined): Reading | undefined {
  const [reading, setReading] = useState<Reading>({ is: "reading" });
  const [tries, setTries] = useState(0);
  const wasAccepted = row === undefined || row.transaction !== undefined;
  const key = wasAccepted ? accountKey.value : undefined;
  useEffect(() => {
    if (key === undefined) return;
    const asked = { isLatest: true };
    const read = async (): Promise<void> => {
      const next = await readDetail(key, requestId, () => setTries((count) => count + 1));
      // What was read stays when it cannot be read again: the journal may have forgotten it since.
      if (asked.isLatest) setReading((last) => (next.is === "failed" && last.is === "read" ? last : next));
    };
    void read();
    return () => void (asked.isLatest = false);
  }, [key, requestId, tries, progressOf(row)]);
  return wasAccepted ? reading : undefined;
}

async function readDetail(consumerKey: string, requestId: string, again: () => void): Promise<Reading> {
  try {
    return { is: "read", detail: await accountClient(consumerKey).get(`transactions/${encodeURIComponent(requestId)}`) };
  } catch (error) {
    return { is: "failed", text: explain(error), again };
  }
}

/** Another text after each event about the transaction. */
function progressOf(row: Row | undefined): string {
  if (row?.transaction === undefined) return "";
  const { progress, left } = row.transaction;
  const settled = "settled" in progress ? `${progress.deliveries.length} ${progress.attempts.length}` : "";
  return `${progress.state} ${settled} ${left === undefined ? "" : "left"}`;
}
