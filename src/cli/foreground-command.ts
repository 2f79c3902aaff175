import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";

/** A command that controls the terminal while it runs. */
export interface ForegroundCommand {
  readonly words: readonly [name: string, ...rest: string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type ForegroundEnd =
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "not begun"; readonly reason: string };

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
    return await endOf(child);
  } catch (error) {
    // Node rejects some commands before it asks the operating system.
    return { kind: "not begun", reason: reasonOf(error) };
  } finally {
    for (const signal of PASSED_ON) process.removeListener(signal, passOn);
  }
}

function endOf(child: ChildProcess): Promise<ForegroundEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      // A signal that could not be sent also emits an error; the command continues.
      if (child.pid === undefined) resolve({ kind: "not begun", reason: reasonOf(error) });
    });
    child.once("close", (code, signal) => {
      if (child.pid !== undefined) resolve({ kind: "ended", code: code ?? codeOf(signal) });
    });
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code === "ENOENT" ? "there is no such command" : error.message;
}

/** Returns the exit code that a shell reports for a command ended by a signal (POSIX.1-2017, Shell Command Language 2.8.2). */
function codeOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}
