import { SEVERITIES } from "../verdict/rehearsal/report-text.ts";
import type { Report } from "../verdict/rehearsal/report.ts";
import type { Flag, ParsedArgs } from "./command.ts";
import { printLines, type Terminal } from "./terminal.ts";

/** Fails the run if orders were placed whose money was not assessed. */
const MONEY_NOT_ASSESSED = "money-not-assessed";

export const FAIL_ON_FLAG: Flag = {
  name: "fail-on",
  value: "SEVERITY",
  choices: [...SEVERITIES, MONEY_NOT_ASSESSED],
  about: `exit code 1 also if there are findings of this severity or worse; ${MONEY_NOT_ASSESSED}: if orders were placed whose money no check assessed`,
};

/** Returns the exit code of a run without failures, and prints why --fail-on makes it 1. */
export function failOn({ flags }: ParsedArgs, reports: readonly Report[], { stderr }: Terminal): 0 | 1 {
  const severity = flags.get("fail-on");
  const cause = severity === undefined ? undefined : reasonToFail(reports, severity);
  if (cause === undefined) return 0;
  printLines(stderr, [`kredo: exit code 1, because of ${cause}.`]);
  return 1;
}

function reasonToFail(reports: readonly Report[], severity: string): string | undefined {
  if (severity === MONEY_NOT_ASSESSED) {
    const open = reports.flatMap(({ checks }) =>
      checks.flatMap(({ verdict, isAboutMoney }) =>
        verdict.is === "not assessed" && isAboutMoney === true ? [verdict.needs] : [],
      ),
    );
    const needs = [...new Set(open)].join("; ");
    return open.length === 0
      ? undefined
      : `orders whose money no check assessed, which --fail-on ${severity} counts; what is missing: ${needs}`;
  }
  const counted = SEVERITIES.slice(0, SEVERITIES.findIndex((one) => one === severity) + 1);
  const isFailed = reports.some(({ findings }) => findings.some((finding) => counted.includes(finding.severity)));
  return isFailed ? `findings that --fail-on ${severity} counts` : undefined;
}
