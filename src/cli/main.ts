#!/usr/bin/env node
import { explainEnd, run } from "./run.ts";
import { systemTerminal } from "./system-terminal.ts";
import { printLines } from "./terminal.ts";

const terminal = systemTerminal();
process.on("uncaughtException", endAtFault);
// Not process.exit: what is printed must reach a pipe first.
process.exitCode = await run(process.argv.slice(2), terminal);

/** Whatever nobody caught, rejections included. */
function endAtFault(fault: unknown): never {
  printLines(terminal.stderr, explainEnd(fault, process.env["KREDO_DEBUG"] === "1"));
  process.exit(1);
}
