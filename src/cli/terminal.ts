import type { Pause } from "../ports/pause.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Files } from "../ports/files.ts";

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
  /** Asks the user for one line; resolves to undefined once the input has ended. Missing if there is nobody to ask. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Reads all of standard input as text. */
  readStdin(): Promise<string>;
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
