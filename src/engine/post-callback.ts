import { type CallbackSettings, type CallbackUrl, SINK_URL } from "../domain/settings.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../ports/callback-transport.ts";

export interface Postage {
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
}

/** Sends one callback as an account's settings say; the sandbox's own receiver takes everything at once. */
export async function postCallback(
  { url, trusted }: CallbackUrl,
  letter: { body: string; callbacks: CallbackSettings },
  postage: Postage,
): Promise<Delivered> {
  if (url === SINK_URL) return SUNK;
  const { timeout, ca, insecure } = letter.callbacks;
  const terms = { timeout, insecure, ...(ca === undefined ? {} : { ca }) };
  const request: CallbackRequest = { url, trusted, headers: callbackHeaders(letter.callbacks), body: letter.body, ...terms };
  return postage.transport.deliver(request, postage.signal);
}

const SUNK: Delivered = { outcome: { kind: "answered", status: 200, body: "" }, millis: 0 };

const headersBySettings = new WeakMap<CallbackSettings, Readonly<Record<string, string>>>();

/** The headers of every callback under the same settings: one object, so that a kept attempt costs no copy. */
export function callbackHeaders(callbacks: CallbackSettings): Readonly<Record<string, string>> {
  const known = headersBySettings.get(callbacks);
  if (known !== undefined) return known;
  const headers = { "content-type": "application/json", ...callbacks.headers };
  headersBySettings.set(callbacks, headers);
  return headers;
}
