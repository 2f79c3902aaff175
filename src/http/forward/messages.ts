import type { AnswerEnded, ReceivedRequest, Script } from "../connection.ts";
import type { Wire } from "../reply.ts";

/** A gateway request as read by the replica that holds the client's connection. */
export interface ForwardedRequest extends Omit<ReceivedRequest, "body" | "receivedAt"> {
  readonly url: string;
  /** One character per byte; undefined if it is too large. */
  readonly body: string | undefined;
}

/**
 * Messages from the replica with the client's connection to the account's owner. `number` identifies a request on the connection between
 * the two.
 */
export type EdgeMessage =
  | { readonly kind: "request"; readonly number: number; readonly account: string; readonly request: ForwardedRequest }
  /** The client of a request is still waiting after `CLIENT_PATIENCE`. */
  | { readonly kind: "waits"; readonly number: number }
  | { readonly kind: "ended"; readonly number: number; readonly ended: AnswerEnded };

/** Messages from the owner. */
export type OwnerMessage =
  | { readonly kind: "answer"; readonly number: number; readonly wire: Wire; readonly script: Script | undefined }
  /** The replica does not own the account, and has done nothing. */
  | { readonly kind: "moved"; readonly number: number };
