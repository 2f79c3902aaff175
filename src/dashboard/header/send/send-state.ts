import { batch, signal } from "@preact/signals";
import type { AccountDetail } from "../../../control/client/shapes.ts";
import type { RunningScenario } from "../../../gateway/scenario/running-scenario.ts";
import { sandbox } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";
import { route, setQuery } from "../../route.ts";
import { accountKey, account } from "../../store.ts";
import { bodyOf, type Draft, NEW_DRAFT, PATHS, queryOf, withQuery } from "./draft.ts";
import type { Head, Outcome, Sent } from "./outcome.ts";
import { type Pricing, readPricing } from "./preview.ts";

/** The order in the form. Kept while the user looks at other panels. */
export const draft = signal<Draft>(NEW_DRAFT);

/** The last request. */
export const sent = signal<Sent | undefined>(undefined);

/** The settings that prices depend on; undefined until the sandbox has sent them. */
export const pricing = signal<Pricing | undefined>(undefined);

let waiting = new AbortController();

export function write(change: Partial<Draft>): void {
  draft.value = { ...draft.value, ...change };
}

/** Copies the form to the URL when a field loses the focus, so that a link opens the same form. */
export function keepInAddress(): void {
  setQuery(queryOf(draft.value));
}

/** Fills the form: from the URL, then from the current draft, then with a valid sender ID. */
export function beginDraft(senderIds: Iterable<string>): void {
  const [first = ""] = senderIds;
  const begun = withQuery(draft.peek(), route.value.query);
  draft.value = begun.senderId === "" ? { ...begun, senderId: first } : begun;
}

/** Reads the prices again whenever the scenarios change, because scenarios can port numbers. */
export function readPrices(consumerKey: string, _scenarios: readonly RunningScenario[]): void {
  void attempt(async () => {
    const { gateway } = await sandbox().get<AccountDetail>(`accounts/${encodeURIComponent(consumerKey)}`);
    if (consumerKey === accountKey.peek()) pricing.value = readPricing(gateway);
  });
}

export async function sendDraft(): Promise<void> {
  const { reading: journal } = account.value ?? {};
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
    consumerSecret: journal?.state?.settings.consumer_secret ?? "",
    signal: posting.signal,
  });
  if (sent.value === begun) sent.value = { ...begun, outcome };
}

export function stopWaiting(): void {
  waiting.abort();
}

interface Posting {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Aborts when the user stops waiting. */
  readonly signal: AbortSignal;
}

/** Sends the order to the gateway at this origin, as any client would, and returns the outcome. */
async function postOrder(draft: Draft, posting: Posting): Promise<Outcome> {
  const begun = performance.now();
  const body: string[] = [];
  let answer: Head | undefined;
  try {
    const response = await request(draft, posting);
    answer = { status: response.status, statusText: response.statusText, headers: [...response.headers] };
    for await (const text of textsOf(response)) body.push(text);
    return { is: "answered", answer, body: body.join(""), millis: performance.now() - begun };
  } catch {
    const millis = performance.now() - begun;
    if (posting.signal.aborted) return { is: "given up", millis };
    return { is: "broken", ...(answer && { answer }), body: body.join(""), millis };
  }
}

function request(draft: Draft, { consumerKey, consumerSecret, signal }: Posting): Promise<Response> {
  return fetch(PATHS[draft.operation], {
    method: "POST",
    headers: {
      authorization: `Basic ${base64(`${consumerKey}:${consumerSecret}`)}`,
      "content-type": "application/json",
      // Findings leave out what Kredo itself sent.
      "x-kredo-command": "page",
    },
    body: bodyOf(draft),
    signal,
    cache: "no-store",
    // If it sends its own credentials, a browser asks for a user name and password after a 401.
    credentials: "omit",
  });
}

/** The document does not specify the encoding of non-ASCII characters. UTF-8 follows RFC 7617 section 2.1. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Reads the body in chunks, because a stream that breaks discards what has not been read. */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    yield decoder.decode(part.value, { stream: true });
  yield decoder.decode();
}
