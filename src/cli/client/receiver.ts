import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Millis } from "../../domain/time.ts";
import type { Pause } from "../../ports/pause.ts";

/** What reached the receiver. */
export interface Received {
  /** The path's first step. */
  readonly operation: string;
  readonly body: string;
  /** False when the connection ended before the body did. */
  readonly isWhole: boolean;
}

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly status: number;
  readonly delay: Millis;
  readonly pause: Pause;
  readonly onReceived: (received: Received) => void;
}

export interface Receiver {
  readonly port: number;
  /** Frees the port; answers that are being delayed are not given any more. */
  close(): Promise<void>;
}

/** Listens for callbacks and answers them all alike. Rejects when it cannot listen. */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const closing = new AbortController();
  // Every answer that is being delayed listens to it.
  setMaxListeners(0, closing.signal);
  const server = createServer((request, response) => void receive(request, response, { ...options, signal: closing.signal }));
  server.listen(options.port, options.host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    async close() {
      closing.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answering extends ReceiverOptions {
  readonly signal: AbortSignal;
}

async function receive(request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> {
  const { status, delay, pause, signal, onReceived } = answering;
  const { body, isWhole } = await readBody(request);
  if (request.method !== "POST") return answer(response, 405, { allow: "POST" });
  onReceived({ operation: (request.url ?? "").split(/[/?]/)[1] || "?", body, isWhole });
  try {
    await pause(delay, signal);
  } catch {
    return; // Closing: the connection is gone.
  }
  answer(response, status, {});
}

async function readBody(request: IncomingMessage): Promise<{ body: string; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
  } catch {
    return { body: Buffer.concat(chunks).toString(), isWhole: false };
  }
  return { body: Buffer.concat(chunks).toString(), isWhole: true };
}

function answer(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, headers).end();
}
