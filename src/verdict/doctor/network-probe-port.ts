import type { Millis } from "../../gateway/domain/time.ts";

/** Examines the route to a receiver from this process, one step at a time. Goes only where a callback may go. Never rejects. */
export interface NetworkProbe {
  /** Returns the addresses of a host name; an address resolves to itself. */
  lookUp(host: string, limit: Millis): Promise<NameLookup>;
  /** Opens a connection and closes it again. */
  connect(receiver: ReceiverAddress, limit: Millis): Promise<ConnectionAttempt>;
  /** Starts TLS without checking the certificate, and returns the certificate. */
  handshake(receiver: TlsReceiverAddress, limit: Millis): Promise<TlsHandshake>;
  /** The container it runs in: "Docker", "Podman", "Kubernetes", or "container" if the kind is unknown; undefined outside any container. */
  container(): string | undefined;
}

export interface ReceiverAddress {
  /** The host as in the URL, an IPv6 address without its brackets. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Whether public hosts may be called. */
  readonly trusted: boolean;
}

export interface TlsReceiverAddress extends ReceiverAddress {
  /** An additional certificate authority to trust, as PEM text. */
  readonly ca?: string;
}

/** The result of a DNS lookup. */
export type NameLookup =
  | { readonly kind: "resolved"; readonly addresses: readonly string[] }
  | { readonly kind: "unresolved"; readonly code: string }
  | { readonly kind: "forbidden"; readonly reason: string }
  | { readonly kind: "timed_out" };

/** The result of a connection attempt. */
export type ConnectionAttempt =
  | { readonly kind: "connected" }
  | { readonly kind: "refused" }
  | { readonly kind: "timed_out" }
  | { readonly kind: "unreachable"; readonly code: string }
  /** Not attempted: the rules for outgoing calls forbid it. */
  | { readonly kind: "forbidden"; readonly reason: string };

/** The result of a TLS handshake. */
export type TlsHandshake =
  | { readonly kind: "trusted"; readonly certificate: Certificate }
  | { readonly kind: "distrusted"; readonly code: string; readonly certificate: Certificate }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "timed_out" };

export interface Certificate {
  /** The common name that it was issued to. */
  readonly subject: string;
  readonly issuer: string;
  /** The host names and addresses that it is valid for. */
  readonly names: readonly string[];
  /** In the format of certificates: "Jan  6 06:00:00 2025 GMT". */
  readonly validFrom: string;
  readonly validTo: string;
}
