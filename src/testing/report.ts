import { randomUUID } from "node:crypto";

/** Writes a fault of the sandbox itself where a test run shows it; answers the report's name. */
export function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}
