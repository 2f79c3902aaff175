import type { Severity } from "../../verdict/severities.ts";
import { SEVERITIES } from "../../verdict/severities.ts";
import { exitCodeOf } from "../../verdict/report/report.ts";
import type { Flag, ParsedArgs } from "../terminal/command.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

export const FAIL_ON_FLAG: Flag = {
  name: "fail-on",
  value: "SEVERITY",
  choices: SEVERITIES,
  about: "exit code 1 also with problems of this severity or worse (default: defect)",
};

/** Returns the exit code of a report, and prints why --fail-on makes it 1. */
export function exitCodeFor(
  report: Parameters<typeof exitCodeOf>[0],
  { flags }: Pick<ParsedArgs, "flags">,
  { stderr }: Pick<Terminal, "stderr">,
): 0 | 1 | 3 {
  const severity: Severity | undefined = SEVERITIES.find((one) => one === flags.get("fail-on"));
  const code = exitCodeOf(report, severity);
  if (code === 1 && exitCodeOf(report) !== 1)
    printLines(stderr, [`kredo: exit code 1, because of what --fail-on ${severity} counts.`]);
  if (code === 3) printLines(stderr, ["kredo: exit code 3, because too little could be assessed for a verdict."]);
  return code;
}
