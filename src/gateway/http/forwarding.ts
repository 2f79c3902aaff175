import type { MiddlewareHandler } from "hono";
import type { GatewayEnv } from "./bindings.ts";

/** Forwards requests to the processes that own their accounts, and answers what other processes forward. */
export interface Forwarding {
  readonly handlers: readonly MiddlewareHandler<GatewayEnv>[];
  /** Rejects with `NotTheOwner` if another process owns the account: it may have moved there while the request was being read. */
  expectNotElsewhere(consumerKey: string): Promise<undefined>;
  /** Resolves when the owners have answered everything that was forwarded, or when they have had enough time. */
  answered(): Promise<void>;
  close(): Promise<void>;
}
