import type { Exchange, Finding, Severity } from "../checks/finding.ts";
import type { Check, Report, TimelineEntry } from "./report.ts";
import {
  bySeverity,
  indexTimeline,
  describeTally,
  describeTimes,
  formatDurationShort,
  tally,
  describeExchange,
} from "./report-text.ts";

export interface TerminalStyle {
  readonly color: boolean;
  /** The terminal's width; lines are not wrapped if it is unknown. */
  readonly columns?: number;
}

/** Renders a report for a terminal: a line for each check, the findings, and a summary at the end. */
export function renderTerminal(report: Report, style: TerminalStyle): string[] {
  const page = new Page(style);
  const timeline = indexTimeline(report.timeline);
  page.write(0, { text: report.name, color: "bold" });
  if (report.description !== undefined) page.write(2, report.description);
  page.write(2, { text: runDetails(report), color: "dim" });
  for (const check of report.checks) writeCheck(page, check, timeline);
  for (const finding of bySeverity(report.findings)) writeFinding(page, finding, timeline);
  page.write(0, { text: `${describeTally(tally([report]))}.`, color: "bold" });
  return page.lines;
}

function runDetails({ file, clock, seed, duration, evicted }: Report): string {
  const lost =
    evicted === undefined ? undefined : `incomplete: the first ${evicted} requests were evicted from the journal`;
  return [file, clock, `seed ${seed}`, `took ${formatDurationShort(duration)}`, lost]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** The most exchanges shown for one failed check or finding. The other report formats show all of them. */
const SHOWN = 5;

const VERDICT_WIDTH = "not assessed".length;

function writeCheck(page: Page, { name, verdict }: Check, timeline: ReadonlyMap<string, TimelineEntry>): void {
  switch (verdict.is) {
    case "passed":
      return page.write(2, { text: "passed".padEnd(VERDICT_WIDTH), color: "green" }, `${name} (${verdict.seen})`);
    case "not assessed":
      return page.write(2, { text: "not assessed", color: "yellow" }, `${name}: needs ${verdict.needs}`);
    case "failed":
      page.write(2, { text: "FAILED".padEnd(VERDICT_WIDTH), color: "red" }, `${name}: ${verdict.seen}`);
      return writeExchanges(page, verdict.exchanges, timeline);
  }
}

const SEVERITY_COLORS: Readonly<Record<Severity, Color>> = {
  defect: "red",
  risk: "yellow",
  cost: "yellow",
  hint: "dim",
};

function writeFinding(page: Page, finding: Finding, timeline: ReadonlyMap<string, TimelineEntry>): void {
  const { id, subject, severity, title, seen, why, repair, assumes, count, exchanges } = finding;
  const about = subject === "" ? "" : ` of ${subject}`;
  page.write(
    2,
    { text: severity.padEnd(VERDICT_WIDTH), color: SEVERITY_COLORS[severity] },
    `${title} (${id}${about}, ${describeTimes(count)})`,
  );
  const indent = VERDICT_WIDTH + 4;
  page.write(indent, "seen:", seen);
  page.write(indent, "why: ", why);
  page.write(indent, "repair:", repair);
  page.write(indent, { text: "assumes:", color: "dim" }, { text: assumes, color: "dim" });
  writeExchanges(page, exchanges, timeline);
}

function writeExchanges(
  page: Page,
  exchanges: readonly Exchange[],
  timeline: ReadonlyMap<string, TimelineEntry>,
): void {
  const indent = VERDICT_WIDTH + 4;
  for (const exchange of exchanges.slice(0, SHOWN)) page.write(indent, "-", describeExchange(exchange, timeline));
  if (exchanges.length > SHOWN) page.write(indent, "-", `and ${exchanges.length - SHOWN} more`);
}

type Color = keyof typeof CODES;

/** Select Graphic Rendition codes for on and off (ECMA-48, 8.3.117). */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Fewer columns would leave no room next to a label. */
const LEAST_COLUMNS = 40;

/** Writes lines, wrapped at word boundaries if the terminal's width is known. */
class Page {
  readonly lines: string[] = [];
  readonly #color: boolean;
  readonly #columns: number;

  constructor({ color, columns = Number.POSITIVE_INFINITY }: TerminalStyle) {
    this.#color = color;
    this.#columns = Math.max(columns, LEAST_COLUMNS);
  }

  /** Writes a text with a hanging indent. */
  write(indent: number, text: Words): void;
  /** Writes a label with text next to it. */
  write(indent: number, label: Words, text: Words): void;
  write(indent: number, ...words: readonly [Words] | readonly [Words, Words]): void {
    const [label, body] = words.length === 1 ? [undefined, styled(words[0])] : [styled(words[0]), styled(words[1])];
    const hanging = indent + (label === undefined ? 0 : widthOf(label.text) + 1);
    const before = `${" ".repeat(indent)}${label === undefined ? "" : `${this.#paint(label)} `}`;
    const rows = fold(body.text, this.#columns - hanging);
    this.lines.push(
      ...rows.map(
        (row, index) => `${index === 0 ? before : " ".repeat(hanging)}${this.#paint({ ...body, text: row })}`,
      ),
    );
  }

  #paint({ text, color }: StyledText): string {
    if (!this.#color || color === undefined) return text;
    const [on, off] = CODES[color];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  }
}

type Words = string | StyledText;

interface StyledText {
  readonly text: string;
  readonly color?: Color;
}

function styled(words: Words): StyledText {
  return typeof words === "string" ? { text: safe(words) } : { ...words, text: safe(words.text) };
}

/** Returns a single line without control characters or characters that change the writing direction. */
function safe(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, showMark);
}

function showMark(runId: string): string {
  return `<U+${runId.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

function fold(text: string, columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (row === "" || widthOf(longer) <= columns) row = longer;
    else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, row];
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
