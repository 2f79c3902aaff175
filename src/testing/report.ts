import { randomUUID } from "node:crypto";

/** Writes an unexpected error of the sandbox to stderr, where a test run shows it. Returns the report's id. */
export function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}
