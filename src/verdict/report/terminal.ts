import type { Severity } from "../checks/finding.ts";
import { drawMatrix } from "./matrix.ts";
import type { Report, ReportedProblem } from "./report.ts";
import { describeCoverage, describeProblem, describeProblems, describeRest, formatShort } from "./text.ts";

export interface TerminalStyle {
  readonly color: boolean;
}

/** The most exchanges, and the most other trials, shown for one problem. The other report formats show all of them. */
const SHOWN = 8;

/** Renders a report for a terminal: the problems with their exchanges, the matrix, and what was not looked at. */
export function renderTerminal(report: Report, style: TerminalStyle): string[] {
  const page = new Page(style);
  page.write(0, { text: report.name, color: "bold" });
  for (const [index, problem] of report.problems.entries()) writeProblem(page, problem, index + 1, report);
  page.lines.push("", ...drawMatrix(report, style.color));
  for (const line of describeRest(report)) page.write(0, line);
  const took = `seed ${report.seed}, took ${formatShort(report.duration_ms)}`;
  page.write(0, { text: `${describeProblems(report)}; ${describeCoverage(report)}, ${took}.`, color: "bold" });
  return page.lines;
}

const SEVERITY_COLORS: Readonly<Record<Severity, Color>> = {
  defect: "red",
  risk: "yellow",
  cost: "yellow",
  hint: "dim",
};

function writeProblem(page: Page, problem: ReportedProblem, number: number, report: Report): void {
  const { is, id, sentence } = problem;
  page.lines.push("");
  const mark = is === "defect" ? id.replaceAll("-", " ").toUpperCase() : `${is}: ${id}`;
  page.write(0, { text: `${number}. ${mark}:`, color: SEVERITY_COLORS[is] }, sentence);
  for (const { label, texts } of describeProblem(problem, report)) {
    const [indent, ...mark] = MARKS[label] ?? [3, `${label}:`];
    for (const text of texts.slice(0, SHOWN)) page.write(indent, ...mark, text);
    const left = texts.length - SHOWN;
    if (left > 0) page.write(indent, `and ${left} other ${label === "also when" ? "failures" : label}`);
  }
}

/** The indentation and the mark of what is not simply labelled. */
const MARKS: Readonly<Record<string, readonly [number, ...string[]]>> = {
  truths: [3],
  exchanges: [5, "-"],
  "also when": [3, "also when"],
};

type Color = keyof typeof CODES;

/** Select Graphic Rendition codes for on and off (ECMA-48, 8.3.117). */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Writes lines without what could control the terminal. */
class Page {
  readonly lines: string[] = [];
  readonly #color: boolean;

  constructor({ color }: TerminalStyle) {
    this.#color = color;
  }

  /** Writes texts side by side, as one line. */
  write(indent: number, ...texts: readonly Words[]): void {
    this.lines.push(`${" ".repeat(indent)}${texts.map((text) => this.#paint(text)).join(" ")}`);
  }

  #paint(words: Words): string {
    const { text, color } = typeof words === "string" ? { text: words } : words;
    if (!this.#color || color === undefined) return safe(text);
    const [on, off] = CODES[color];
    return `\u001b[${on}m${safe(text)}\u001b[${off}m`;
  }
}

type Words = string | StyledText;

interface StyledText {
  readonly text: string;
  readonly color?: Color;
}

/** Returns a single line without control characters or characters that change the writing direction. */
function safe(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, showMark);
}

function showMark(mark: string): string {
  return `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
