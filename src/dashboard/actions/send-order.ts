import { effect } from "@preact/signals";
import { postOrder } from "./post-order.ts";
import type { Row } from "../live/sales.ts";
import { goTo } from "../base/route.ts";
import { account } from "../live/store.ts";
import { bodyOfDraft, type Draft, findRow } from "./draft.ts";

/**
 * Sends an order to the gateway at this origin, as any client would, and opens its row. Rejects if nothing of it reaches the journal. Does
 * not wait for an answer that a scenario withholds.
 */
export async function sendOrder(draft: Draft): Promise<void> {
  const after = account.peek()?.reading.version ?? 0;
  const shown = untilShown(draft, after);
  const answered = postOrder(draft.operation, bodyOfDraft(draft));
  try {
    const row = await Promise.race([shown.row, answered.then((problem) => waitBriefly(shown.row, problem))]);
    goTo({ view: "requests", item: row.request.requestId });
  } finally {
    shown.stop();
  }
}

function untilShown(draft: Draft, after: number): { readonly row: Promise<Row>; readonly stop: () => void } {
  let stop: (() => void) | undefined;
  const row = new Promise<Row>((resolve) => {
    stop = effect(() => {
      const rows = account.value?.reading.rows ?? [];
      const found = findRow(draft, rows.slice(rows.findLastIndex(({ request }) => request.number <= after) + 1));
      if (found !== undefined) resolve(found);
    });
  });
  return { row, stop: () => stop?.() };
}

/** In wall-clock milliseconds: the journal's events come on another connection than the answer. */
const JOURNAL_WITHIN = 3_000;

async function waitBriefly(row: Promise<Row>, problem: string): Promise<Row> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(problem)), JOURNAL_WITHIN);
  });
  return await Promise.race([row, late]);
}
