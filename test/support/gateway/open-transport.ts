import { createUndiciTransport } from "../../../src/gateway/adapters/delivery/undici-transport.ts";
import type { CallbackRequest, CallbackTransport } from "../../../src/gateway/ports/callback-transport.ts";

/** The transport that callbacks take over sockets; it is closed with the test. */
export function openTransport(now: () => number = () => performance.now()): CallbackTransport & AsyncDisposable {
  const transport = createUndiciTransport({ callbackAllow: [], now });
  return { ...transport, [Symbol.asyncDispose]: () => transport.close() };
}

/** A callback to a URL that nobody vouches for. */
export function callbackTo(url: string): CallbackRequest {
  const headers = { "Content-Type": "application/json" };
  return { url, trusted: false, headers, body: '{"charge":9.5}', timeout: 60_000, insecure: false };
}
