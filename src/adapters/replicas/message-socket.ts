import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Millis } from "../../domain/time.ts";
import type { MessageHandler, MessageStream } from "../../ports/replica-links.ts";

/** The interval at which each end sends a heartbeat. */
const PULSE: Millis = 1_000;

/**
 * The number of own heartbeats without anything received after which the connection counts as lost. A suspended process counts only its own
 * heartbeats.
 */
const MOST_SILENT = 5;

/**
 * Sends messages over a socket, each as one line of JSON. Messages of one turn of the event loop are written together. An empty line is a
 * heartbeat.
 */
export function messageSocket<Message>(socket: Duplex, { take, gone }: MessageHandler<Message>): MessageStream {
  let unread = "";
  let silent = 0;
  const pulse = setInterval(() => {
    silent += 1;
    if (silent > MOST_SILENT) socket.destroy();
    else socket.write("\n");
  }, PULSE).unref();
  const decoder = new StringDecoder("utf8");
  socket.on("data", (chunk: Buffer) => {
    silent = 0;
    const lines = (unread + decoder.write(chunk)).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(JSON.parse(line));
  });
  socket.on("error", () => {});
  socket.once("end", () => socket.destroy());
  socket.once("close", () => {
    clearInterval(pulse);
    gone();
  });
  return {
    send(message) {
      if (socket.destroyed) return;
      if (socket.writableCorked === 0) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      socket.write(`${JSON.stringify(message)}\n`);
    },
    close: () => void socket.destroy(),
  };
}
