import { bodyOf, type Draft, PATHS } from "./draft.ts";
import type { Head, Outcome } from "./outcome.ts";

export interface Posting {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Whoever sent it waits no longer. */
  readonly signal: AbortSignal;
}

/** Sends what is written to the gateway of this origin, as any client would, and tells how that ended. */
export async function postOrder(draft: Draft, posting: Posting): Promise<Outcome> {
  const begun = performance.now();
  const body: string[] = [];
  let answer: Head | undefined;
  try {
    const response = await request(draft, posting);
    answer = headOf(response);
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

function headOf({ status, statusText, headers }: Response): Head {
  return { status, statusText, headers: [...headers] };
}

/** A part at a time, so that what came before a break is not lost: a stream that breaks drops what nobody has read. */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield decoder.decode(part.value, { stream: true });
  yield decoder.decode();
}
