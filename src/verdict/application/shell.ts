import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as schedule } from "node:timers";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";

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

/** The most characters of a command's output that are stored. The end is kept, because it says what went wrong. */
const KEPT_CHARACTERS = 1_048_576;

/** How long a stopped command may take to clean up. */
const GRACE = 2_000;

/** Runs a shell command in its own process group, so that the processes it starts end with it. */
export function runInShell({ command, environment, limit }: CommandCall, signal: AbortSignal): Promise<CommandEnd> {
  if (signal.aborted)
    return Promise.resolve({ kind: "cut short", reason: "was not started: the rehearsal was stopped" });
  const child = spawn(command, {
    shell: true,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [text, complaint] = [gather(child.stdout), gather(child.stderr)];
  const timers = [schedule(() => stop(`did not end within ${formatDuration(limit)}`), limit)];
  const abort = (): void => stop("was stopped with the rehearsal");
  let stopped: string | undefined;
  signal.addEventListener("abort", abort, { once: true });
  return new Promise<CommandEnd>((resolve) => {
    child.once("error", ({ message }) => resolve({ kind: "cut short", reason: `could not be started (${message})` }));
    child.once("close", (code, killedBy) => {
      const reason = stopped ?? (code === null ? `was ended by ${killedBy ?? "somebody"}` : undefined);
      resolve(
        reason === undefined
          ? { kind: "exited", code: code ?? 0, text: text(), complaint: complaint() }
          : { kind: "cut short", reason },
      );
    });
  }).finally(() => {
    timers.forEach((timer) => clearTimeout(timer));
    signal.removeEventListener("abort", abort);
  });

  function stop(reason: string): void {
    stopped ??= reason;
    killGroup(child, "SIGTERM");
    timers.push(schedule(() => killGroup(child, "SIGKILL"), GRACE));
  }
}

function gather(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text = `${text}${chunk}`.slice(-KEPT_CHARACTERS);
  });
  return () => text;
}

/** Windows has no process groups; there, only the shell is ended. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
