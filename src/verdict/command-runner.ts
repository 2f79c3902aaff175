import type { Millis } from "../gateway/domain/time.ts";

export interface CommandCall {
  /** A shell command line. */
  readonly command: string;
  /** Variables added to this process's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limit: Millis;
}

export type CommandEnd =
  /** `text` is the end of standard output, `complaint` the end of standard error. */
  | { readonly kind: "exited"; readonly code: number; readonly text: string; readonly complaint: string }
  /** The command was stopped or could not start. */
  | { readonly kind: "cut short"; readonly reason: string };

/** Runs a command until it ends. Never rejects. An aborted signal stops the command. */
export type CommandRunner = (call: CommandCall, signal: AbortSignal) => Promise<CommandEnd>;
