import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** Pastes a command into a shell; answers what it printed. */
export async function paste(command: string): Promise<string> {
  const shell = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  return stdout === "" ? stderr : stdout;
}
