import { batch, signal } from "@preact/signals";
import type { ActiveScenario } from "../../../domain/directive.ts";
import type { AccountDetail } from "../../../testing/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { route, setQuery } from "../../route.ts";
import { accountKey, book } from "../../store.ts";
import { type Draft, NEW_DRAFT, queryOf, withQuery } from "./draft.ts";
import type { Sent } from "./outcome.ts";
import { postOrder } from "./post-order.ts";
import { type Pricing, readPricing } from "./pricing.ts";

/** What is being written. It stays while one looks at other panels. */
export const draft = signal<Draft>(NEW_DRAFT);

/** What was sent last. */
export const sent = signal<Sent | undefined>(undefined);

/** What orders cost; not there until the sandbox has said so. */
export const pricing = signal<Pricing | undefined>(undefined);

let waiting = new AbortController();

export function write(change: Partial<Draft>): void {
  draft.value = { ...draft.value, ...change };
}

/** The address says what the form says, once a field is left: a link to it leads to the same. */
export function keepInAddress(): void {
  setQuery(queryOf(draft.value));
}

/** What the address says comes first, then what is there, then a sender ID that works. */
export function beginDraft(senderIds: Iterable<string>): void {
  const [first = ""] = senderIds;
  const begun = withQuery(draft.peek(), route.value.query);
  draft.value = begun.senderId === "" ? { ...begun, senderId: first } : begun;
}

/** Asks anew whenever the scenarios are others: they may port numbers. */
export function readPrices(consumerKey: string, _scenarios: readonly ActiveScenario[]): void {
  void attempt(async () => {
    const { gateway } = await sandbox().get<AccountDetail>(`accounts/${encodeURIComponent(consumerKey)}`);
    if (consumerKey === accountKey.peek()) pricing.value = readPricing(gateway);
  });
}

export async function sendDraft(): Promise<void> {
  const { book: journal } = book.value ?? {};
  const posting = new AbortController();
  const begun: Sent = { draft: draft.value, after: journal?.version ?? 0, at: Date.now(), outcome: { is: "waiting" } };
  batch(() => {
    waiting.abort();
    waiting = posting;
    sent.value = begun;
    keepInAddress();
  });
  const outcome = await postOrder(begun.draft, {
    consumerKey: accountKey.value ?? "",
    consumerSecret: journal?.state?.settings.consumerSecret ?? "",
    signal: posting.signal,
  });
  if (sent.value === begun) sent.value = { ...begun, outcome };
}

export function stopWaiting(): void {
  waiting.abort();
}
