import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as schedule } from "node:timers";
import { formatDuration } from "../domain/time.ts";
import type { CommandCall, CommandEnd } from "../ports/command-runner.ts";

/** The most that is kept of a command's output: its end says what went wrong. */
const KEPT_CHARACTERS = 1_048_576;

/** Runs a command in the shell, in a process group of its own, so that what it began ends with it. */
export function runInShell({ command, environment, limit }: CommandCall, signal: AbortSignal): Promise<CommandEnd> {
  if (signal.aborted) return Promise.resolve({ kind: "cut short", reason: "was not begun: the rehearsal was stopped" });
  const child = spawn(command, { shell: true, detached: true, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  const [text, complaint] = [gather(child.stdout), gather(child.stderr)];
  return new Promise((resolve) => {
    const timer = schedule(() => stop(`did not end within ${formatDuration(limit)}`), limit);
    const abort = (): void => stop("was stopped with the rehearsal");
    signal.addEventListener("abort", abort, { once: true });
    child.once("error", ({ message }) => end({ kind: "cut short", reason: `could not be begun (${message})` }));
    child.once("close", (code, killedBy) => {
      if (code === null) end({ kind: "cut short", reason: `was ended by ${killedBy ?? "somebody"}` });
      else end({ kind: "exited", code, text: text(), complaint: complaint() });
    });

    function stop(reason: string): void {
      end({ kind: "cut short", reason });
      killGroup(child);
    }

    function end(came: CommandEnd): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      resolve(came);
    }
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text = `${text}${chunk}`.slice(-KEPT_CHARACTERS);
  });
  return () => text;
}

/** Windows has no groups; there the shell alone is ended. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  } catch {
    child.kill("SIGTERM");
  }
}
