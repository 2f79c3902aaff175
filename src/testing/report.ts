import { randomUUID } from "node:crypto";

/** Writes a fault of the sandbox itself where a test run shows it; answers the report's name. */
export function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}

/** Tells what is usable and hardly meant, the way Node tells its own warnings: on stderr, or to whoever listens to `process`. */
export function warnInProcess(warning: string): void {
  process.emitWarning(warning, "KredoWarning");
}
