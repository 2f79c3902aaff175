import { type ScriptedCallback, headersAs } from "../scenario/effects/callback-flags.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import { SINK_URL } from "../domain/callback-outcome.ts";
import type { CallbackUrl } from "../settings/callbacks.ts";
import type { CallbackRequest, CallbackTransport, Delivered } from "../ports/callback-transport.ts";

export interface CallbackPayload {
  readonly body: string;
  readonly callbacks: CallbackSettings;
  /** How a scenario changes the callback. */
  readonly scripted?: ScriptedCallback | undefined;
  /** The traceparent of its request; sent on if the settings say so. */
  readonly traceparent?: string | undefined;
}

/** What came of one POST. */
export type CallbackPost = Delivered & { readonly url: string };

export interface SendOptions {
  readonly transport: CallbackTransport;
  readonly signal: AbortSignal;
}

/** Sends one callback according to the account's settings. The built-in receiver accepts it at once. */
export async function postCallback(
  { url, trusted }: CallbackUrl,
  payload: CallbackPayload,
  options: SendOptions,
): Promise<Delivered> {
  if (url === SINK_URL) return SUNK;
  const { body, callbacks } = payload;
  const { timeout, ca, insecure } = callbacks;
  const request: CallbackRequest = { url, trusted, headers: headersOf(payload), body, timeout, insecure, ca };
  return options.transport.deliver(request, options.signal);
}

/** Returns the headers of a callback, except those that frame it. */
export function headersOf({
  callbacks,
  scripted,
  traceparent,
}: Omit<CallbackPayload, "body">): Readonly<Record<string, string>> {
  const headers = scripted === undefined ? callbackHeaders(callbacks) : headersAs(callbackHeaders(callbacks), scripted);
  return callbacks.traceparent === true && traceparent !== undefined ? { ...headers, traceparent } : headers;
}

const SUNK: Delivered = { outcome: { kind: "answered", status: 200, body: "" }, millis: 0 };

const headersBySettings = new WeakMap<CallbackSettings, Readonly<Record<string, string>>>();

/** Caches the headers of unscripted callbacks by their settings, so that stored attempts share one object. */
function callbackHeaders(callbacks: CallbackSettings): Readonly<Record<string, string>> {
  const known = headersBySettings.get(callbacks);
  if (known !== undefined) return known;
  const headers = { "content-type": "application/json", ...configuredHeaders(callbacks) };
  headersBySettings.set(callbacks, headers);
  return headers;
}

function configuredHeaders({ user_agent, accept, headers }: CallbackSettings): Record<string, string> {
  return {
    ...(user_agent !== undefined && { "user-agent": user_agent }),
    ...(accept !== undefined && { accept }),
    ...headers,
  };
}
