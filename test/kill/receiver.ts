import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { listenLocally } from "../support/gateway/local-server.ts";

/** Takes callbacks and keeps them by request id; it outlives every sandbox. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: ReadonlyMap<string, readonly ReceivedCallback[]>;
  /** Resolves once there are callbacks of so many transactions. */
  untilReceived(transactions: number): Promise<void>;
}

export interface ReceivedCallback {
  readonly body: string;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, ReceivedCallback[]>();
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    const at = performance.now();
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const id = /"request_id":"([^"]+)"/.exec(body)?.[1] ?? "";
      received.set(id, [...(received.get(id) ?? []), { body, at }]);
      arrivals.emit("callback");
      // A moment in which a kill finds the callback under way.
      setTimeout(() => response.end("{}"), received.size % 10);
    });
  });
  const { port, close } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async untilReceived(transactions) {
      while (received.size < transactions) await once(arrivals, "callback");
    },
    [Symbol.asyncDispose]: close,
  };
}
