import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as schedule } from "node:timers";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { formatDuration, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import { excerpt } from "./ask.ts";

const LIMIT: Millis = 10 * MINUTE;

const GRACE: Millis = 2_000;

/** The most characters of a command's output that are kept: the end, because it says what went wrong. */
const KEPT_CHARACTERS = 150;

/** Runs a shell command in its own process group, so that the processes it starts end with it. Resolves to what went wrong, if anything. */
export async function runInShell(
  command: string,
  interruption: AbortSignal,
  limit: Millis = LIMIT,
): Promise<string | undefined> {
  if (interruption.aborted) return "the command was not started: the run was stopped";
  const child = spawn(command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output = `${output}${text}`.slice(-KEPT_CHARACTERS)));
  const late = AbortSignal.timeout(limit);
  const stop = AbortSignal.any([interruption, late]);
  const timers: NodeJS.Timeout[] = [];
  const kill = (): void => {
    killGroup(child, "SIGTERM");
    timers.push(schedule(() => killGroup(child, "SIGKILL"), GRACE));
  };
  stop.addEventListener("abort", kill);
  try {
    const [code, killedBy] = await once(child, "close");
    if (stop.aborted)
      return late.aborted ? `the command did not end within ${formatDuration(limit)}` : "the command was stopped";
    return code === 0 ? undefined : `the command ended with ${code ?? killedBy}${excerpt(output)}`;
  } catch (error) {
    return `the command could not be started (${messageOf(error)})`;
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
    stop.removeEventListener("abort", kill);
  }
}

/** Windows has no process groups; there, only the shell is ended. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
