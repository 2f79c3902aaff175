import type { AnswerEnded, GatewayRequest, Script } from "../bindings.ts";
import type { Wire } from "../reply.ts";

/** A request of the gateway as the replica that holds its client's connection has read it. */
export interface ForwardedRequest extends Omit<GatewayRequest, "body" | "receivedAt"> {
  readonly url: string;
  /** Each character is a byte; undefined where it is too large. */
  readonly body: string | undefined;
}

/** From the replica that holds the client's connection to the owner of the account. A number is that of a request on one connection. */
export type EdgeMessage =
  | { readonly kind: "request"; readonly number: number; readonly account: string; readonly request: ForwardedRequest }
  /** The client of a request still waits after `CLIENT_PATIENCE`. */
  | { readonly kind: "waits"; readonly number: number }
  | { readonly kind: "ended"; readonly number: number; readonly ended: AnswerEnded };

/** What the owner answers. */
export type OwnerMessage =
  | { readonly kind: "answer"; readonly number: number; readonly wire: Wire; readonly script: Script | undefined }
  /** It does not own the account, and has done nothing. */
  | { readonly kind: "moved"; readonly number: number };
