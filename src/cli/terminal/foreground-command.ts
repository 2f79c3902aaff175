import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";

/** A command that controls the terminal while it runs. */
export interface ForegroundCommand {
  readonly words: readonly [name: string, ...rest: string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type ForegroundEnd =
  | { readonly kind: "ended"; readonly code: number }
  /** With a shell's exit code: 127 if there is no such command, 126 if it cannot be run (POSIX.1-2017, Shell Command Language 2.8.2). */
  | { readonly kind: "not begun"; readonly code: 126 | 127; readonly problem: string };

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Terminal keys signal the whole foreground process group (POSIX.1-2017, 11.1.9), so the command already gets these signals. */
const FROM_KEYS: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];

/** Runs a command with this process's own standard streams. Passes signals on to the command. */
export async function runInForeground({
  words: [name, ...rest],
  environment,
}: ForegroundCommand): Promise<ForegroundEnd> {
  let child: ChildProcess | undefined;
  const passOn = (signal: NodeJS.Signals): void => {
    if (!(process.stdin.isTTY && FROM_KEYS.includes(signal))) child?.kill(signal);
  };
  for (const signal of PASSED_ON) process.on(signal, passOn);
  try {
    child = spawn(name, rest, { stdio: "inherit", env: { ...environment } });
    return await endOf(name, child);
  } catch (error) {
    // Node rejects some commands before it asks the operating system.
    return notBegun(name, error);
  } finally {
    for (const signal of PASSED_ON) process.removeListener(signal, passOn);
  }
}

function endOf(name: string, child: ChildProcess): Promise<ForegroundEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      // A signal that could not be sent also emits an error; the command continues.
      if (child.pid === undefined) resolve(notBegun(name, error));
    });
    child.once("close", (code, signal) => {
      if (child.pid !== undefined) resolve({ kind: "ended", code: code ?? codeOf(signal) });
    });
  });
}

function notBegun(name: string, error: unknown): ForegroundEnd {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isMissing = code === "ENOENT";
  const refused = code === "EACCES" ? "it may not be executed" : messageOf(error);
  const reason = isMissing ? "there is no such command" : refused;
  const problem = `${quoteText(name)} cannot be started (${reason}); write a command as a shell would find it`;
  return { kind: "not begun", code: isMissing ? 127 : 126, problem };
}

/** Returns the exit code that a shell reports for a command ended by a signal (POSIX.1-2017, Shell Command Language 2.8.2). */
function codeOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}
