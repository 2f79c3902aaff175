import { effect } from "@preact/signals";
import type { Row } from "../../live/account-reading.ts";
import { goTo } from "../../route.ts";
import { account, caller } from "../../store.ts";
import { bodyOf, type Draft, findRow } from "./draft.ts";

/**
 * Sends an order to the gateway at this origin, as any client would, and opens its row. Rejects if nothing of it reaches the journal. Does
 * not wait for an answer that a scenario withholds.
 */
export async function sendOrder(draft: Draft): Promise<void> {
  const after = account.peek()?.reading.version ?? 0;
  const shown = untilShown(draft, after);
  const answered = post(draft);
  try {
    const row = await Promise.race([shown.row, answered.then((problem) => waitBriefly(shown.row, problem))]);
    goTo({ view: "requests", item: row.request.requestId });
  } finally {
    shown.stop();
  }
}

/** Posts the order. Resolves to what to say if it does not reach the journal. */
async function post(draft: Draft): Promise<string> {
  const { consumerKey, consumerSecret } = caller();
  try {
    const answer = await fetch(draft.operation === "airtime" ? "/api/v2/airtime" : "/api/v2/sms", {
      method: "POST",
      headers: {
        authorization: `Basic ${base64(`${consumerKey}:${consumerSecret}`)}`,
        "content-type": "application/json",
        // Findings leave out what Kredo itself sent.
        "x-kredo-command": "page",
      },
      body: bodyOf(draft),
      cache: "no-store",
      // If it sends its own credentials, a browser asks for a user name and password after a 401.
      credentials: "omit",
    });
    return `The gateway answered ${answer.status}: ${await answer.text()}`;
  } catch {
    return "Nothing came back, and the journal has no such request. Is the sandbox still running?";
  }
}

/** The document does not specify the encoding of non-ASCII characters. UTF-8 follows RFC 7617 section 2.1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
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
