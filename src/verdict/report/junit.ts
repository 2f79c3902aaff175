import { formatInstant, type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { headline } from "./problems.ts";
import type { Report, TrialReport, Verdict } from "./report.ts";
import { describeExchange, describeNotLookedAt, indexTimeline, replayCommand } from "./text.ts";
import { element, representable } from "./xml.ts";

/**
 * Renders a report as JUnit XML: one suite, with a case for each trial. Uses only what the schemas of the Jenkins xUnit plugin
 * (junit-10.xsd) and of Ant's JUnit task (windyroad) have in common: the order of elements and the required attributes.
 */
export function renderJunit(report: Report, replays: ReadonlyMap<string, string> = new Map()): string {
  const { name, trials, startedAt, durationMillis } = report;
  const attributes = {
    name: named(name),
    package: "kredo",
    id: 0,
    hostname: "localhost",
    timestamp: withoutZone(startedAt),
    tests: trials.length,
    failures: trials.filter(isFailed).length,
    errors: 0,
    skipped: trials.filter(isSkipped).length,
    time: seconds(durationMillis),
  };
  const suite = element("testsuite", attributes, [
    properties(report),
    ...trials.map((trial) => caseOf(trial, report, replayCommand(trial, { seed: report.seed, replays }))),
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

/** Ant's schema allows no time zone; the time is UTC. */
function withoutZone(at: Instant): string {
  return formatInstant(at).slice(0, "2025-01-06T06:00:00".length);
}

function seconds(duration: Millis): string {
  return (duration / SECOND).toFixed(3);
}

function properties({ application, seed, progress, trials }: Report): string {
  const evicted = trials.reduce((sum, trial) => sum + (trial.evicted ?? 0), 0);
  const all = {
    application,
    seed: String(seed),
    stopped: progress.stopped,
    "evicted requests": evicted === 0 ? undefined : String(evicted),
  };
  const rows = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [element("property", { name, value })],
  );
  return element("properties", {}, rows);
}

function caseOf(trial: TrialReport, report: Report, replay: string | undefined): string {
  const { id, verdicts, durationMillis, operation } = trial;
  const suite = operation === undefined ? report.name : `${report.name}, ${operation}`;
  const attributes = { name: named(id), classname: named(suite), time: seconds(durationMillis) };
  const defects = verdicts.filter(({ is }) => is === "defect");
  const [first] = defects;
  if (first !== undefined) {
    const lines = [
      ...defects.flatMap((verdict) => tell(verdict, trial)),
      ...(replay === undefined ? [] : [`replay: ${replay}`]),
    ];
    const failure = { type: first.id, message: headline(trial, first) };
    return element("testcase", attributes, [element("failure", failure, { text: lines.join("\n") })]);
  }
  const open = verdicts.find(({ is }) => is === "not assessed");
  if (!isSkipped(trial) || open === undefined) return element("testcase", attributes);
  return element("testcase", attributes, [element("skipped", { message: `not assessed: ${open.seen}` })]);
}

function tell(verdict: Verdict, trial: TrialReport): string[] {
  const timeline = indexTimeline(trial.timeline);
  const { id, seen, repair, exchanges, follows } = verdict;
  return [
    `${id}: ${seen}`,
    ...exchanges.map((exchange) => `- ${describeExchange(exchange, timeline)}`),
    ...follows.map((one) => `so also: ${one.seen} (${one.id})`),
    ...(repair === undefined ? [] : [`repair: ${repair}`]),
  ];
}

/** Everything that fails nothing, and what was not looked at. */
function tellAll(report: Report): string {
  const lesser = report.trials.flatMap((trial) =>
    trial.verdicts
      .filter(({ is }) => is !== "defect" && is !== "right")
      .map(
        ({ is, id, seen, repair }) => `${trial.id}: ${is}: ${id}: ${seen}${repair === undefined ? "" : ` ${repair}`}`,
      ),
  );
  const unseen = describeNotLookedAt(report);
  return [...lesser, ...(unseen === undefined ? [] : [unseen])].map((line) => `${line}\n`).join("");
}
