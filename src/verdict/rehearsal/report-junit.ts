import type { Exchange, Finding } from "../checks/finding.ts";
import { formatInstant, type Instant, SECOND } from "../../gateway/domain/time.ts";
import type { Check, Report, TimelineEntry } from "./report.ts";
import { bySeverity, indexTimeline, describeTimes, describeExchange } from "./report-text.ts";
import { element, representable } from "./xml.ts";

/**
 * Renders reports as JUnit XML: a suite for each report, with a case for each check and for each defect that no check tolerates, so that a
 * suite has failures exactly where a check failed. Uses only what the schemas of the Jenkins xUnit plugin (junit-10.xsd) and of Ant's JUnit
 * task (windyroad) have in common: the order of elements and the required attributes.
 */
export function renderJunit(reports: readonly Report[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, reports.map(suiteOf))}\n`;
}

function suiteOf(report: Report, id: number): string {
  const timeline = indexTimeline(report.timeline);
  const defects = groupDefects(report.findings.filter((finding) => isFailure(finding, report)));
  const failed = report.checks.filter(({ verdict }) => verdict.is === "failed").length + defects.length;
  const skipped = report.checks.filter(({ verdict }) => verdict.is === "not assessed").length;
  const cases = [
    ...report.checks.map((check) => checkCase(report, check, timeline)),
    ...defects.map((one) => defectCase(report, one, timeline)),
  ];
  const attributes = {
    name: named(report.name),
    package: "kredo",
    id,
    hostname: "localhost",
    timestamp: withoutZone(report.startedAt),
    tests: cases.length,
    failures: failed,
    errors: 0,
    skipped,
    time: (report.duration / SECOND).toFixed(3),
  };
  const told = { text: tellAll(report) };
  return element("testsuite", attributes, [
    properties(report),
    ...cases,
    element("system-out", {}, told),
    element("system-err", {}),
  ]);
}

/** Both schemas require a name that is not blank. */
function named(name: string): string {
  return representable(name).trim() === "" ? "report" : name;
}

/** Ant's schema allows no time zone; the time is UTC. */
function withoutZone(at: Instant): string {
  return formatInstant(at).slice(0, "2025-01-06T06:00:00".length);
}

function properties({ file, clock, seed, description, evicted }: Report): string {
  const all = { file, description, clock, seed: String(seed), "evicted requests": evicted?.toString() };
  const rows = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [element("property", { name, value })],
  );
  return element("properties", {}, rows);
}

type Timeline = ReadonlyMap<string, TimelineEntry>;

function checkCase(report: Report, { name, verdict }: Check, timeline: Timeline): string {
  const attributes = caseAttributes(report, name);
  switch (verdict.is) {
    case "passed":
      return element("testcase", attributes);
    case "not assessed":
      return element("testcase", attributes, [element("skipped", { message: `not assessed: needs ${verdict.needs}` })]);
    case "failed":
      return element("testcase", attributes, [
        failure("check", verdict.seen, [verdict.seen, ...tellEach(verdict.exchanges, timeline)]),
      ]);
  }
}

/** The duration of one check is unknown, because all of them read the same journal at the end. */
function caseAttributes(report: Report, name: string): Record<string, string> {
  return { name: named(name), classname: named(report.name), time: "0.000" };
}

function failure(type: string, message: string, lines: readonly string[]): string {
  return element("failure", { type, message }, { text: lines.join("\n") });
}

function tellEach(exchanges: readonly Exchange[], timeline: Timeline): string[] {
  return exchanges.map((exchange) => `- ${describeExchange(exchange, timeline)}`);
}

function isFailure({ id, severity }: Finding, { tolerated = [] }: Report): boolean {
  return severity === "defect" && !tolerated.includes(id);
}

/** The findings of one detector form one case, however many subjects they have. There is at least one. */
type Defect = readonly [Finding, ...Finding[]];

function groupDefects(findings: readonly Finding[]): Defect[] {
  const groups = new Map<string, Defect>();
  for (const finding of findings) {
    const before = groups.get(finding.id);
    groups.set(finding.id, before === undefined ? [finding] : [...before, finding]);
  }
  return [...groups.values()];
}

function defectCase(report: Report, defect: Defect, timeline: Timeline): string {
  const [{ id, title, why, repair, assumes }] = defect;
  const seen = defect.flatMap((finding) => [tellSeen(finding), ...tellEach(finding.exchanges, timeline)]);
  const lines = [...seen, `why: ${why}`, `repair: ${repair}`, `assumes: ${assumes}`];
  return element("testcase", caseAttributes(report, `finding: ${id}`), [failure("finding", title, lines)]);
}

function tellSeen({ subject, seen, count }: Finding): string {
  return `${subject === "" ? "" : `${subject}: `}${seen} (${describeTimes(count)})`;
}

/** Passed checks and lesser findings have no element of their own, so they are listed here. */
function tellAll(report: Report): string {
  const { checks, findings, timeline } = report;
  const passed = checks.flatMap(({ name, verdict }) =>
    verdict.is === "passed" ? [`passed: ${name} (${verdict.seen})`] : [],
  );
  const lesser = bySeverity(findings).filter((finding) => !isFailure(finding, report));
  const noticed = lesser.map(
    (finding) => `${finding.severity}: ${finding.title} (${finding.id}). ${tellSeen(finding)} ${finding.repair}`,
  );
  const told = timeline.map(
    ({ at, title, outcome, scripted }) =>
      `${formatInstant(at)} ${title}: ${outcome}${scripted === undefined ? "" : ` [${scripted}]`}`,
  );
  return [...passed, ...noticed, ...told].map((line) => `${line}\n`).join("");
}
