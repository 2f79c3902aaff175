import { batch, signal } from "@preact/signals";
import type { AccountDetail } from "../../../control-client/shapes.ts";
import type { ActiveScenario } from "../../../scenario/active-scenario.ts";
import { sandbox } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";
import { route, setQuery } from "../../route.ts";
import { accountKey, account } from "../../store.ts";
import { bodyOf, type Draft, NEW_DRAFT, PATHS, queryOf, withQuery } from "./draft.ts";
import type { Head, Outcome, Sent } from "./outcome.ts";
import { type Pricing, readPricing } from "./preview.ts";

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
  /** Whoever sent it waits no longer. */
  readonly signal: AbortSignal;
}

/** Sends what is written to the gateway of this origin, as any client would, and tells how that ended. */
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
    headers: { authorization: `Basic ${base64(`${consumerKey}:${consumerSecret}`)}`, "content-type": "application/json" },
    body: bodyOf(draft),
    signal,
    cache: "no-store",
    // With its own credentials a browser answers a 401 with a window that asks for a name and a password.
    credentials: "omit",
  });
}

/** The document does not say how other characters than ASCII are written; UTF-8, as RFC 7617 section 2.1 has it. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** A part at a time, so that what came before a break is not lost: a stream that breaks drops what nobody has read. */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield decoder.decode(part.value, { stream: true });
  yield decoder.decode();
}
