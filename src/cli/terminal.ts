import type { Pause } from "../ports/pause.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Files } from "../ports/files.ts";
import type { Variables } from "./config-file.ts";

/** Where a verb prints. */
export interface Printer {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** All that a verb knows of the world around it. */
export interface Terminal {
  readonly stdout: Printer;
  readonly stderr: Printer;
  readonly env: Variables;
  readonly files: Files;
  readonly clock: WallClock;
  readonly pause: Pause;
  /** All of standard input, as text. */
  readStdin(): Promise<string>;
  /**
   * Aborts when the verb is asked to stop, or when nobody reads its output any more. From the first call on the verb must
   * stop by itself; without one, a signal ends the process at once.
   */
  interruption(): AbortSignal;
}

export function printLines(printer: Printer, lines: readonly string[]): void {
  if (lines.length > 0) printer.write(`${lines.join("\n")}\n`);
}
