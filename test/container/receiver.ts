import { once } from "node:events";
import { createServer } from "node:http";
import * as z from "zod";

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly paths: string[];
}

/** Receives callbacks from a container. */
export async function startReceiver(): Promise<Receiver> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.end();
  });
  // A container does not reach this machine's own 127.0.0.1.
  await once(server.listen(0, "0.0.0.0"), "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://localhost:${port}`, port, paths, [Symbol.asyncDispose]: close };
}
