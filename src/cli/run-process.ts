import { explainEnd, run } from "./run.ts";
import { systemTerminal } from "./system-terminal.ts";
import { printLines } from "./terminal.ts";

/** Runs what this process's command line says, and sets its exit code. */
export async function runProcess(): Promise<void> {
  const terminal = systemTerminal();
  // Whatever nobody caught, rejections included.
  process.on("uncaughtException", (fault) => {
    printLines(terminal.stderr, explainEnd(fault, process.env["KREDO_DEBUG"] === "1"));
    process.exit(1);
  });
  // Not process.exit: what is printed must reach a pipe first.
  process.exitCode = await run(process.argv.slice(2), terminal);
}
