import type { Replica } from "./journal-engine.ts";

/** One end of a connection between two replicas. Messages arrive in the order in which they were sent. */
export interface MessageStream {
  /** Sends a JSON-serializable message; does nothing once the connection is closed. */
  send(message: object): void;
  close(): void;
}

/** Handles what arrives at one end of a connection. */
export interface MessageHandler<Message> {
  readonly take: (message: Message) => void;
  /** Called once when the connection is closed. */
  readonly gone: () => void;
}

/** Options of a connection to another replica. */
export interface ConnectOptions {
  readonly secret: string;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/** Thrown if a replica cannot be reached. No request was sent to it. */
export class ReplicaUnreachable extends Error {}

/** A call to the control API of another replica. */
export interface ForwardedCall {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/** Headers that concern a single connection and are never forwarded (RFC 9110 section 7.6.1). */
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
  connect<Message>(replica: Replica, options: ConnectOptions, handler: MessageHandler<Message>): Promise<MessageStream>;
  /** Rejects with `ReplicaUnreachable` if nothing was sent. */
  call(replica: Replica, call: ForwardedCall): Promise<Response>;
  close(): Promise<void>;
}
