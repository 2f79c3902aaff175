import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { CallbackConnections, ConnectionOptions } from "./callback-connections.ts";

/** Sends callbacks with undici over keep-alive connections, each exactly once. Everything is loaded on the first callback. */
export function createUndiciTransport(options: ConnectionOptions): CallbackTransport {
  let opening: Promise<CallbackConnections> | undefined;
  let connections: CallbackConnections | undefined;
  let closed = false;

  return {
    async deliver(request, signal) {
      connections ??= await (opening ??= loadConnections(options));
      return closed || signal.aborted
        ? { outcome: { kind: "abandoned" }, millis: 0 }
        : connections.send(request, signal);
    },
    async close() {
      closed = true;
      connections?.abandonAll();
      const opened = await opening;
      await opened?.close();
    },
  };
}

async function loadConnections(options: ConnectionOptions): Promise<CallbackConnections> {
  const { openConnections } = await import("./callback-connections.ts");
  return openConnections(options);
}
