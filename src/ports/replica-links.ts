import type { Replica } from "./journal-engine.ts";

/** One end of a connection between two replicas, on which messages arrive in the order in which they were sent. */
export interface MessageStream {
  /** Sends what JSON can carry; nothing once the connection is gone. */
  send(message: object): void;
  close(): void;
}

/** What one end does with what comes. */
export interface MessageHandler<Message> {
  readonly take: (message: Message) => void;
  /** The connection is gone; called once. */
  readonly gone: () => void;
}

/** A replica cannot be reached, so it was asked for nothing. */
export class ReplicaUnreachable extends Error {}

/** A call to the control API of another replica. */
export interface ForwardedCall {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Headers of one connection alone, which are never forwarded (RFC 9110 section 7.6.1). */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** How this replica calls the others. */
export interface ReplicaLinks {
  /** Rejects with `ReplicaUnreachable`. */
  connect<Message>(replica: Replica, secret: string, handler: MessageHandler<Message>): Promise<MessageStream>;
  /** Rejects with `ReplicaUnreachable` when nothing was sent. */
  call(replica: Replica, call: ForwardedCall): Promise<Response>;
  close(): Promise<void>;
}
