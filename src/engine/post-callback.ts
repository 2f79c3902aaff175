import type { CallbackForm } from "../domain/plan.ts";
import { type CallbackSettings, type CallbackUrl, SINK_URL } from "../domain/settings.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../ports/callback-transport.ts";

export interface Letter {
  readonly body: string;
  readonly callbacks: CallbackSettings;
  /** How a scenario has it sent. */
  readonly form?: CallbackForm | undefined;
  /** Of the request that it is about; sent on where the settings say so. */
  readonly traceparent?: string | undefined;
}

export interface Postage {
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
}

/** Sends one callback as an account's settings say; the sandbox's own receiver takes everything at once. */
export async function postCallback({ url, trusted }: CallbackUrl, letter: Letter, postage: Postage): Promise<Delivered> {
  if (url === SINK_URL) return SUNK;
  const { body, callbacks, form } = letter;
  const { timeout, ca, insecure } = callbacks;
  const terms = { timeout, insecure, ...(ca === undefined ? {} : { ca }), ...(form?.manner && { manner: form.manner }) };
  const request: CallbackRequest = { url, trusted, headers: headersOf(letter), body, ...terms };
  return postage.transport.deliver(request, postage.signal);
}

/** All headers of a callback but those that frame it. */
export function headersOf({ callbacks, form, traceparent }: Omit<Letter, "body">): Readonly<Record<string, string>> {
  const headers = callbackHeaders(callbacks, form);
  return callbacks.traceparent === true && traceparent !== undefined ? { ...headers, traceparent } : headers;
}

const SUNK: Delivered = { outcome: { kind: "answered", status: 200, body: "" }, millis: 0 };

const headersBySettings = new WeakMap<CallbackSettings, Readonly<Record<string, string>>>();

/** The headers of every honest callback under the same settings: one object, so that a kept attempt costs no copy. */
function callbackHeaders(callbacks: CallbackSettings, form: CallbackForm = {}): Readonly<Record<string, string>> {
  if (form.wrongContentType) return { "content-type": "text/plain", ...callbacks.headers };
  const known = headersBySettings.get(callbacks);
  if (known !== undefined) return known;
  const headers = { "content-type": "application/json", ...callbacks.headers };
  headersBySettings.set(callbacks, headers);
  return headers;
}
