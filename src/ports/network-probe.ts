import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { Millis } from "../domain/time.ts";
import type { CallbackRequest, Delivered } from "./callback-transport.ts";

/** Looks at the way to a receiver, a step at a time, from where this process runs; only where a callback may go. Never rejects. */
export interface NetworkProbe {
  /** Why callbacks to this URL would never be sent, as far as its host tells before a look-up; undefined if they may be. */
  reasonNeverSent(target: CallbackUrl): string | undefined;
  /** The addresses of a host, which may be an address itself. */
  lookUp(host: string, limit: Millis): Promise<NameLookup>;
  /** Opens a connection and closes it again. */
  connect(receiver: ReceiverAddress, limit: Millis): Promise<ConnectionAttempt>;
  /** Begins TLS whatever the certificate is, and tells what it is. */
  handshake(receiver: TlsReceiverAddress, limit: Millis): Promise<TlsHandshake>;
  /** Asks for the request's URL with GET, as a browser does. */
  get(request: CallbackRequest, signal: AbortSignal): Promise<Delivered>;
  hostEnvironment(): HostEnvironment;
}

export interface ReceiverAddress {
  /** As the URL has it, an IPv6 address without its brackets. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Public hosts may be called. */
  readonly trusted: boolean;
}

export interface TlsReceiverAddress extends ReceiverAddress {
  /** PEM text of a certificate authority to trust besides the usual ones. */
  readonly ca?: string;
}

/** What became of looking a name up. */
export type NameLookup =
  | { readonly kind: "resolved"; readonly addresses: readonly string[] }
  | { readonly kind: "unresolved"; readonly code: string }
  | { readonly kind: "forbidden"; readonly reason: string }
  | { readonly kind: "timed_out" };

/** What became of opening a connection. */
export type ConnectionAttempt =
  | { readonly kind: "connected" }
  | { readonly kind: "refused" }
  | { readonly kind: "timed_out" }
  | { readonly kind: "unreachable"; readonly code: string }
  /** Never begun: the rules for outgoing calls forbid it. */
  | { readonly kind: "forbidden"; readonly reason: string };

/** What became of beginning TLS. */
export type TlsHandshake =
  | { readonly kind: "trusted"; readonly certificate: Certificate }
  | { readonly kind: "distrusted"; readonly code: string; readonly certificate: Certificate }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "timed_out" };

export interface Certificate {
  /** The common name it was given to. */
  readonly subject: string;
  readonly issuer: string;
  /** Host names and addresses that it is good for. */
  readonly names: readonly string[];
  /** As certificates write it: "Jan  6 06:00:00 2025 GMT". */
  readonly validFrom: string;
  readonly validTo: string;
}

/** Where this process runs. */
export interface HostEnvironment {
  /** The container it runs in ("Docker", "Podman", "Kubernetes", or "container" where nothing tells which); undefined outside of any. */
  readonly container: string | undefined;
  /** The environment variables that name a proxy, which callbacks do not use. */
  readonly proxies: readonly string[];
  /** This machine's addresses, the loopback apart. */
  readonly addresses: readonly string[];
}
