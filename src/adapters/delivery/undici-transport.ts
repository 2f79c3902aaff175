import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { Lines, LinesOptions } from "./callback-lines.ts";

/** Sends callbacks with undici over keep-alive connections, each exactly once. Everything is loaded on the first callback. */
export function createUndiciTransport(options: LinesOptions): CallbackTransport {
  let opening: Promise<Lines> | undefined;
  let lines: Lines | undefined;
  let closed = false;

  return {
    async deliver(request, signal) {
      lines ??= await (opening ??= loadLines(options));
      return closed || signal.aborted ? { outcome: { kind: "abandoned" }, millis: 0 } : lines.send(request, signal);
    },
    async close() {
      closed = true;
      lines?.abandonAll();
      const opened = await opening;
      await opened?.close();
    },
  };
}

async function loadLines(options: LinesOptions): Promise<Lines> {
  const { openLines } = await import("./callback-lines.ts");
  return openLines(options);
}
