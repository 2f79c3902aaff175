import { setMaxListeners } from "node:events";
import type { Writable } from "node:stream";
import { filesOnDisk, type Files } from "../../gateway/adapters/files/files-on-disk.ts";
import { systemClock } from "../../gateway/adapters/time/system-clock.ts";
import { pauseOn } from "../../gateway/adapters/time/system-pause.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Pause, WallClock } from "../../gateway/ports/wall-clock.ts";

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where a command prints. */
export interface Printer {
  readonly isTTY: boolean;
  /** The terminal's width. */
  readonly columns?: number;
  write(text: string): void;
}

/** Everything that a command needs from its environment. */
export interface Terminal {
  readonly stdout: Printer;
  readonly stderr: Printer;
  readonly env: Variables;
  readonly files: Files;
  readonly clock: WallClock;
  readonly pause: Pause;
  /** Reads standard input, piece by piece. */
  stdin(): AsyncIterable<string>;
  /**
   * Returns a signal that aborts when the command is asked to stop, or when its output is no longer read. After this call, the command must
   * stop by itself; before it, a signal ends the process at once.
   */
  interruption(): AbortSignal;
}

export function printLines(printer: Printer, lines: readonly string[]): void {
  if (lines.length > 0) printer.write(`${lines.join("\n")}\n`);
}

export function printWarnings({ stderr }: Pick<Terminal, "stderr">, warnings: readonly string[]): void {
  printLines(
    stderr,
    warnings.map((warning) => `warning: ${warning}`),
  );
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The terminal that the process was started in. Aborts `stopping` when the command is to stop. */
export function systemTerminal(stopping = new AbortController()): Terminal {
  // Orders that wait at once listen each; Node warns from the eleventh listener on.
  setMaxListeners(0, stopping.signal);
  const clock = systemClock({ holdsProcess: true });
  let isListening = false;
  return {
    stdout: printTo(process.stdout, () => stopping.abort()),
    stderr: printTo(process.stderr, () => {}),
    env: process.env,
    files: filesOnDisk,
    clock,
    pause: pauseOn(clock),
    stdin: () => process.stdin.setEncoding("utf8"),
    interruption: () => {
      if (!isListening) abortOnSignal(stopping);
      isListening = true;
      return stopping.signal;
    },
  };
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
  // Some pseudo terminals, as in CI or below `script`, say that they have none.
  return { isTTY, columns: columns || undefined, write: (text) => void stream.write(text) };
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
