import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { Server, Socket } from "node:net";

export interface LocalServer {
  readonly port: number;
  /** Breaks what is connected, and frees the port. */
  readonly close: () => Promise<void>;
}

/** Makes a server listen on 127.0.0.1, unless it does already; port 0 takes a free one. */
export async function listenLocally(server: Server, port = 0): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  if (!server.listening) await once(server.listen(port, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Stops listening as soon as what is being answered is answered, and then listens on the same port again, as a process does that is restarted. */
export async function listenAgain(server: HttpServer): Promise<void> {
  const address = server.address();
  if (address === null || typeof address === "string") return;
  const closed = once(server, "close");
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), 1);
  await closed;
  clearInterval(sweep);
  await once(server.listen(address.port, address.address), "listening");
}
