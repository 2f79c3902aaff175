import type { DiagnosisJson } from "../http/control/diagnosis-json.ts";
import type { Terminal } from "./terminal.ts";
import { paint, printable } from "./wording.ts";

type Check = DiagnosisJson["checks"][number];

const MARKS: Readonly<Record<Check["verdict"], string>> = { well: "ok", doubtful: "doubt", failed: "FAILED", skipped: "-" };
const MARK_WIDTH = 8;
const CHECK_WIDTH = 10;

/** A line for each check, with its repair, and one that sums up. */
export function describeDiagnosis({ checks, container, acknowledged }: DiagnosisJson, terminal: Terminal): string[] {
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  const from = container === null ? "" : ` (seen from inside a ${container === "container" ? container : `${container} container`})`;
  const summary = failed.length === 0 ? "A callback arrives and is acknowledged" : sumUp(failed, acknowledged);
  return [...checks.map((check) => describeCheck(check, terminal)), paint(`${summary}${from}.`, failed.length === 0, terminal)];
}

function describeCheck({ check, verdict, seen, repair }: Check, terminal: Terminal): string {
  const mark = MARKS[verdict].padEnd(MARK_WIDTH);
  const shown = verdict === "well" || verdict === "failed" ? paint(mark, verdict === "well", terminal) : mark;
  return `${shown}${check.padEnd(CHECK_WIDTH)}${printable(repair === undefined ? seen : `${seen}; ${repair}`)}`;
}

function sumUp(failed: readonly string[], acknowledged: boolean): string {
  const where = failed.join(" and ");
  return acknowledged
    ? `A callback is acknowledged, and all the same not in order: see ${where}`
    : `A callback would not be acknowledged: see ${where}`;
}
