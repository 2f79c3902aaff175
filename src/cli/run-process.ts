import { explainEnd, run } from "./run.ts";
import { systemTerminal } from "./system-terminal.ts";
import { printLines } from "./terminal.ts";

/** Runs this process's command line and sets its exit code. */
export async function runProcess(): Promise<void> {
  const terminal = systemTerminal();
  // Catches everything that nobody else did, including rejections.
  process.on("uncaughtException", (fault) => {
    printLines(terminal.stderr, explainEnd(fault, process.env["KREDO_DEBUG"] === "1"));
    process.exit(1);
  });
  // Not process.exit, because output must reach a pipe first.
  process.exitCode = await run(process.argv.slice(2), terminal);
}
