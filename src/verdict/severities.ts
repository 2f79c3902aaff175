import { counted } from "../gateway/domain/counted.ts";

/** A `defect` loses money or messages, a `risk` may, a `cost` wastes money or messages, a `hint` is worth knowing; most severe first. */
export const SEVERITIES = ["defect", "risk", "cost", "hint"] as const;
export type Severity = (typeof SEVERITIES)[number];

interface Problem {
  readonly is: Severity;
}

/** "1 defect, 2 hints", "No defect, 1 risk". */
export function countProblems(problems: readonly Problem[]): string {
  const counts = countBySeverity(problems);
  return (problems.some(({ is }) => is === "defect") ? counts : ["No defect", ...counts]).join(", ");
}

export function countBySeverity(problems: readonly Problem[]): string[] {
  return SEVERITIES.flatMap((severity) => {
    const count = problems.filter(({ is }) => is === severity).length;
    return count === 0 ? [] : [counted(count, severity)];
  });
}
