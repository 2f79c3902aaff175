import { randomUUID } from "node:crypto";

/** Writes an unexpected error of the sandbox to stderr, where a test run shows it. Returns the report's id. */
export function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}

/**
 * Warns about input that is valid but probably not intended, as a Node process warning: on stderr, or to the `warning` listeners of
 * `process`.
 */
export function warnInProcess(warning: string): void {
  process.emitWarning(warning, "KredoWarning");
}
