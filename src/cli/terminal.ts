import type { Pause } from "../ports/pause.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Files } from "../ports/files.ts";

/** Of the environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where a command prints. */
export interface Printer {
  readonly isTTY: boolean;
  /** The terminal's width. */
  readonly columns?: number;
  write(text: string): void;
}

/** Everything a command knows of the world around it. */
export interface Terminal {
  readonly stdout: Printer;
  readonly stderr: Printer;
  readonly env: Variables;
  readonly files: Files;
  readonly clock: WallClock;
  readonly pause: Pause;
  /** Asks a person for one line; undefined once they end the input. There is nobody to ask where it is missing. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** All of standard input, as text. */
  readStdin(): Promise<string>;
  /**
   * Aborts when a signal asks the command to stop, or when nobody reads its output any more. Once this has been called, the command
   * must stop by itself; until then, a signal ends the process at once.
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
