import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { headline, problemOf, replayCommand } from "./problems.ts";
import { isUntried, type Report, type ReportedProblem, type TrialReport } from "./report.ts";
import { describeRest } from "./describe-rest.ts";
import { describeProblem } from "./text.ts";

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

function properties({ application, seed }: Report): string {
  const rows = Object.entries({ application, seed: String(seed) }).flatMap(([name, value]) =>
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
  const unknown = verdicts.find(({ is }) => is === "not assessed");
  if (!isSkipped(trial) || unknown === undefined) return element("testcase", attributes);
  const replay = isUntried(trial) ? replayCommand(trial, report.seed) : undefined;
  const message = `not assessed: ${unknown.seen}${replay === undefined ? "" : `; to try it: ${replay}`}`;
  return element("testcase", attributes, [element("skipped", { message })]);
}

function tell(problem: ReportedProblem, report: Report): string[] {
  return describeProblem(problem, report).flatMap(({ label, texts }) => texts.map((text) => `${label}: ${text}`));
}

function tellAll(report: Report): string {
  const lesser = report.problems.filter(({ is }) => is !== "defect");
  const lines = lesser.flatMap((problem) => [
    `${problem.is}: ${problem.id}: ${problem.sentence}`,
    ...tell(problem, report),
  ]);
  return [...lines, ...describeRest(report)].map((line) => `${line}\n`).join("");
}

/** Writes an XML element with its attributes and content: text, or elements that are already written. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: XmlContent = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const inside =
    "text" in content ? escape(content.text, /[&<>\r\u007f-\u009f]/g) : content.map((child) => `\n${child}`).join("");
  if (inside === "") return `<${name}${written.join("")}/>`;
  return `<${name}${written.join("")}>${inside}${"text" in content ? "" : "\n"}</${name}>`;
}

type XmlContent = { readonly text: string } | readonly string[];

/** Replaces characters that XML 1.0 cannot represent (section 2.2, Char) by control pictures or the replacement character. */
function representable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const pictured = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (control) =>
    String.fromCharCode(0x2400 + control.charCodeAt(0)),
  );
  return pictured.replace(/\p{Cs}|[\ufffe\uffff]/gu, "\ufffd");
}

/** Parsers turn line breaks and tabs in attributes into spaces unless they are character references (section 3.3.3). */
function escapeAttribute(text: string): string {
  return escape(text, /[&<>"\t\n\r\u007f-\u009f]/g);
}

function escape(text: string, unsafe: RegExp): string {
  return representable(text).replace(unsafe, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`);
}

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
