import { once } from "node:events";
import { createServer } from "node:http";

/** Takes callbacks and counts them by request id; it outlives every sandbox. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: ReadonlyMap<string, number>;
}

export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const id = /"request_id":"([^"]+)"/.exec(body)?.[1] ?? "";
      received.set(id, (received.get(id) ?? 0) + 1);
      // A moment in which a kill finds the callback under way.
      setTimeout(() => response.end("{}"), received.size % 10);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
