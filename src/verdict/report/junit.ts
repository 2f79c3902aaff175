import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { headline, problemOf } from "./problems.ts";
import type { Report, ReportedProblem, TrialReport } from "./report.ts";
import { describeProblem, describeRest } from "./text.ts";
import { element, representable } from "./xml.ts";

/**
 * Renders a report as JUnit XML: one suite, with a case for each trial. Uses only what the schemas of the Jenkins xUnit plugin
 * (junit-10.xsd) and of Ant's JUnit task (windyroad) have in common: the order of elements and the required attributes.
 */
export function renderJunit(report: Report): string {
  const { name, trials, started_at: startedAt, duration_ms: millis } = report;
  const attributes = {
    name: named(name),
    package: "kredo",
    id: 0,
    hostname: "localhost",
    // Ant's schema allows no time zone; the time is UTC.
    timestamp: startedAt.slice(0, "2025-01-06T06:00:00".length),
    tests: trials.length,
    failures: trials.filter(isFailed).length,
    errors: 0,
    skipped: trials.filter(isSkipped).length,
    time: seconds(millis),
  };
  const suite = element("testsuite", attributes, [
    properties(report),
    ...trials.map((trial) => caseOf(trial, report)),
    element("system-out", {}, { text: tellAll(report) }),
    element("system-err", {}),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, [suite])}\n`;
}

function isFailed({ verdicts }: TrialReport): boolean {
  return verdicts.some(({ is }) => is === "defect");
}

function isSkipped(trial: TrialReport): boolean {
  return !isFailed(trial) && trial.verdict === "not assessed";
}

/** Both schemas require a name that is not blank. */
function named(name: string): string {
  return representable(name).trim() === "" ? "report" : name;
}

function seconds(duration: Millis): string {
  return (duration / SECOND).toFixed(3);
}

function properties({ application, seed, stopped, trials }: Report): string {
  const evicted = trials.reduce((sum, trial) => sum + (trial.evicted ?? 0), 0);
  const all = {
    application,
    seed: String(seed),
    stopped,
    "evicted requests": evicted === 0 ? undefined : String(evicted),
  };
  const rows = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [element("property", { name, value })],
  );
  return element("properties", {}, rows);
}

function caseOf(trial: TrialReport, report: Report): string {
  const { id, verdicts, duration_ms: millis, operation } = trial;
  const suite = operation === undefined ? report.name : `${report.name}, ${operation}`;
  const attributes = { name: named(id), classname: named(suite), time: seconds(millis) };
  const defects = verdicts.filter(({ is }) => is === "defect");
  const [first] = defects;
  if (first !== undefined) {
    const problems = defects.map((verdict) => problemOf(trial, { ...verdict, is: "defect" }, report.seed));
    const lines = problems.flatMap((problem) => [`${problem.id}: ${problem.sentence}`, ...tell(problem, report)]);
    const failure = { type: first.id, message: headline(trial, first) };
    return element("testcase", attributes, [element("failure", failure, { text: lines.join("\n") })]);
  }
  const open = verdicts.find(({ is }) => is === "not assessed");
  if (!isSkipped(trial) || open === undefined) return element("testcase", attributes);
  return element("testcase", attributes, [element("skipped", { message: `not assessed: ${open.seen}` })]);
}

function tell(problem: ReportedProblem, report: Report): string[] {
  return describeProblem(problem, report).flatMap(({ label, texts }) => texts.map((text) => `${label}: ${text}`));
}

/** Everything that fails nothing, and what was not looked at. */
function tellAll(report: Report): string {
  const lesser = report.problems.filter(({ is }) => is !== "defect");
  const lines = lesser.flatMap((problem) => [
    `${problem.is}: ${problem.id}: ${problem.sentence}`,
    ...tell(problem, report),
  ]);
  return [...lines, ...describeRest(report)].map((line) => `${line}\n`).join("");
}
