import type { Writable } from "node:stream";
import { pauseOn } from "../adapters/system-pause.ts";
import { systemClock } from "../adapters/system-clock.ts";
import { filesOnDisk } from "../adapters/files-on-disk.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import type { Printer, Terminal } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The terminal that the process was started in. */
export function systemTerminal(): Terminal {
  const stopping = new AbortController();
  const clock = systemClock({ holdsProcess: true });
  let isListening = false;
  return {
    stdout: printTo(process.stdout, () => stopping.abort()),
    stderr: printTo(process.stderr, () => {}),
    env: process.env,
    files: filesOnDisk,
    clock,
    pause: pauseOn(clock),
    readStdin: async () => (await import("node:stream/consumers")).text(process.stdin),
    interruption: () => {
      if (!isListening) abortOnSignal(stopping);
      isListening = true;
      return stopping.signal;
    },
  };
}

/** Whoever reads may leave (`| head`): what is printed after that goes nowhere, and is no fault. */
export function printTo(stream: Writable & { readonly isTTY?: boolean }, onUnread: () => void): Printer {
  stream.on("error", (error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error;
    onUnread();
  });
  return { isTTY: stream.isTTY === true, write: (text) => void stream.write(text) };
}

/** One press of Ctrl-C comes twice where npx passes it on, and people press twice; what a verb puts back takes less than this. */
const GRACE: Millis = 3 * SECOND;

/** A signal that comes when the grace is over finds no listener and ends the process at once. */
function abortOnSignal(controller: AbortController): void {
  let leaving: NodeJS.Timeout | undefined;
  for (const name of SIGNALS) process.on(name, stop);

  function stop(): void {
    controller.abort();
    leaving ??= setTimeout(leave, GRACE).unref();
  }

  function leave(): void {
    for (const name of SIGNALS) process.removeListener(name, stop);
  }
}
