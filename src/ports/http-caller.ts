import type { Millis } from "../domain/time.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wall time for the whole answer. */
  readonly limit: Millis;
  /** Ends it before that. */
  readonly signal?: AbortSignal;
}

export type HttpReply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** No whole answer; `wasReached` says whether a connection came about. */
  | { readonly kind: "silent"; readonly reason: string; readonly wasReached: boolean };

/** Sends one request and waits for the whole answer; never rejects. */
export type HttpCaller = (call: HttpCall) => Promise<HttpReply>;
