import type { Severity } from "../checks/finding.ts";
import { drawMatrix } from "./matrix.ts";
import type { Report, ReportedProblem } from "./report.ts";
import { describeCoverage, describeProblem, describeProblems, describeRest, formatShort } from "./text.ts";

export interface TerminalStyle {
  readonly color: boolean;
  /** The terminal's width; lines are not wrapped if it is unknown. */
  readonly columns?: number;
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
    const [indent, mark] = MARKS[label] ?? [3, `${label}:`];
    for (const text of texts.slice(0, SHOWN))
      if (mark === undefined) page.write(indent, text);
      else page.write(indent, mark, text);
    const left = texts.length - SHOWN;
    if (left > 0) page.write(indent, `and ${left} other ${label === "also when" ? "failures" : label}`);
  }
}

/** The indentation and the mark of what is not simply labelled. */
const MARKS: Readonly<Record<string, readonly [number, string | undefined]>> = {
  truths: [3, undefined],
  exchanges: [5, "-"],
  "also when": [3, "also when"],
};

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

function showMark(mark: string): string {
  return `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
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
