import type { Millis } from "../domain/time.ts";

export interface CommandCall {
  /** A line for the shell. */
  readonly command: string;
  /** On top of this process's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limit: Millis;
}

export type CommandEnd =
  /** `text` is its standard output, `complaint` its standard error: the last of them, where there was a lot. */
  | { readonly kind: "exited"; readonly code: number; readonly text: string; readonly complaint: string }
  /** It was stopped, or never began. */
  | { readonly kind: "cut short"; readonly reason: string };

/** Runs a command to its end; never rejects. An aborted signal stops it. */
export type CommandRunner = (call: CommandCall, signal: AbortSignal) => Promise<CommandEnd>;
