import type { Interface } from "node:readline";
import type { Writable } from "node:stream";
import { pauseOn } from "../adapters/time/system-pause.ts";
import { systemClock } from "../adapters/time/system-clock.ts";
import { filesOnDisk } from "../adapters/files/files-on-disk.ts";
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
    ...(process.stdin.isTTY && process.stdout.isTTY && { ask: lineAsker() }),
    readStdin: async () => (await import("node:stream/consumers")).text(process.stdin),
    interruption: () => {
      if (!isListening) abortOnSignal(stopping);
      isListening = true;
      return stopping.signal;
    },
  };
}

/**
 * Returns a function that asks questions one after another. Lines typed or pasted ahead answer the next questions. Ctrl-D and Ctrl-C end
 * the input.
 */
function lineAsker(): (question: string) => Promise<string | undefined> {
  let input: LineInput | undefined;
  return async (question) => {
    input ??= await openInput();
    const { reader, lines } = input;
    reader.setPrompt(question);
    if (input.isOpen) reader.prompt();
    const { done, value } = await lines.next();
    // Otherwise the open input would keep the process alive.
    if (input.isOpen) reader.pause();
    return done === true ? undefined : value;
  };
}

interface LineInput {
  readonly reader: Interface;
  readonly lines: AsyncIterator<string>;
  isOpen: boolean;
}

async function openInput(): Promise<LineInput> {
  const { createInterface } = await import("node:readline");
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const input = { reader, lines: reader[Symbol.asyncIterator](), isOpen: true };
  reader.once("close", () => (input.isOpen = false));
  return input;
}

/** Drops output after the reader of a pipe has left (`| head`), which is not an error. */
export function printTo(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  onUnread: () => void,
): Printer {
  stream.on("error", (error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error;
    onUnread();
  });
  const { isTTY = false, columns } = stream;
  return { isTTY, ...(columns !== undefined && { columns }), write: (text) => void stream.write(text) };
}

/** npx forwards Ctrl-C, so one press arrives twice. Commands that restore something need less time than this. */
const GRACE: Millis = 3 * SECOND;

/** A signal after the grace period ends the process at once. */
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
