import { type CallbackForm, headersAs, mannerOf } from "../scenario/effects/callback-flags.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import { type CallbackUrl, SINK_URL } from "../domain/callback-outcome.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../ports/callback-transport.ts";

export interface CallbackPayload {
  readonly body: string;
  readonly callbacks: CallbackSettings;
  /** How a scenario has it sent. */
  readonly form?: CallbackForm | undefined;
  /** Of the request that it is about; sent on where the settings say so. */
  readonly traceparent?: string | undefined;
}

export interface SendOptions {
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
}

/** Sends one callback as an account's settings say; the sandbox's own receiver takes everything at once. */
export async function postCallback({ url, trusted }: CallbackUrl, payload: CallbackPayload, options: SendOptions): Promise<Delivered> {
  if (url === SINK_URL) return SUNK;
  const { body, callbacks, form } = payload;
  const { timeout, ca, insecure } = callbacks;
  const manner = form && mannerOf(form);
  const terms = { timeout, insecure, ...(ca === undefined ? {} : { ca }), ...(manner && { manner }) };
  const request: CallbackRequest = { url, trusted, headers: headersOf(payload), body, ...terms };
  return options.transport.deliver(request, options.signal);
}

/** All headers of a callback but those that frame it. */
export function headersOf({ callbacks, form, traceparent }: Omit<CallbackPayload, "body">): Readonly<Record<string, string>> {
  const headers = form === undefined ? callbackHeaders(callbacks) : headersAs(callbackHeaders(callbacks), form);
  return callbacks.traceparent === true && traceparent !== undefined ? { ...headers, traceparent } : headers;
}

const SUNK: Delivered = { outcome: { kind: "answered", status: 200, body: "" }, millis: 0 };

const headersBySettings = new WeakMap<CallbackSettings, Readonly<Record<string, string>>>();

/** The headers of every honest callback under the same settings: one object, so that a kept attempt costs no copy. */
function callbackHeaders(callbacks: CallbackSettings): Readonly<Record<string, string>> {
  const known = headersBySettings.get(callbacks);
  if (known !== undefined) return known;
  const headers = { "content-type": "application/json", ...configuredHeaders(callbacks) };
  headersBySettings.set(callbacks, headers);
  return headers;
}

function configuredHeaders({ user_agent, accept, headers }: CallbackSettings): Record<string, string> {
  return { ...(user_agent !== undefined && { "user-agent": user_agent }), ...(accept !== undefined && { accept }), ...headers };
}
