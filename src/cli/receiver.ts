import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

export interface Received {
  /** The first segment of the path. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** False if the connection ended before the body did. */
  readonly isWhole: boolean;
}

export interface ReceiverOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /**
   * Returns the status to answer with. The signal aborts when the sender disconnects or the receiver closes; the result is then ignored.
   */
  readonly answer: (received: Received, signal: AbortSignal) => Promise<number>;
}

export interface Receiver {
  readonly port: number;
  /** Frees the port and drops pending answers. */
  close(): Promise<void>;
}

/** Listens for callbacks. Rejects if it cannot listen. */
export async function openReceiver({ host, port, answer }: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => void receive(request, response, answer));
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReceiverOptions["answer"],
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { body, isWhole } = await readBody(request);
  if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
  const { url = "", headers } = request;
  try {
    const status = await answer({ operation: url.split(/[/?]/)[1] || "?", headers, body, isWhole }, gone.signal);
    response.writeHead(status).end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
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
