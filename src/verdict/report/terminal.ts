import { LEGEND, SIGNS } from "./matrix.ts";
import type { Report, ReportedProblem, VerdictKind } from "./report.ts";
import { describeProblem, describeRest, describeRun } from "./text.ts";

/** The most exchanges, and the most other trials, shown for one problem. The other report formats show all of them. */
const SHOWN = 8;

/** Renders a report for a terminal: the problems with their exchanges, the matrix, and what was not looked at. */
export function renderTerminal(report: Report, { color }: { readonly color: boolean }): string[] {
  const paint = color ? inColor : (_color: Color, text: string): string => text;
  return [
    paint("bold", safe(report.name)),
    ...report.problems.flatMap((problem, index) => ["", ...problemLines(problem, index + 1, report, paint)]),
    "",
    ...drawMatrix(report, paint),
    ...describeRest(report).map(safe),
    paint("bold", safe(`${report.summary}; ${describeRun(report)}.`)),
  ];
}

const COLORS: Readonly<Record<VerdictKind, Color>> = {
  right: "green",
  defect: "red",
  open: "yellow",
  risk: "yellow",
  cost: "yellow",
  hint: "dim",
  "not assessed": "dim",
};

function problemLines(problem: ReportedProblem, number: number, report: Report, paint: typeof inColor): string[] {
  const { is, id, sentence } = problem;
  const mark = is === "defect" ? id.replaceAll("-", " ").toUpperCase() : `${is}: ${id}`;
  const details = describeProblem(problem, report).flatMap(({ label, texts }) => {
    const start = MARKS[label] ?? `   ${label}: `;
    const left = texts.length - SHOWN;
    const rest = left > 0 ? [`   and ${left} other ${label === "also when" ? "failures" : label}`] : [];
    return [...texts.slice(0, SHOWN).map((text) => safe(`${start}${text}`)), ...rest];
  });
  return [`${paint(COLORS[is], `${number}. ${safe(mark)}:`)} ${safe(sentence)}`, ...details];
}

/** The beginning of the lines that are not simply labelled. */
const MARKS: Readonly<Record<string, string>> = { truths: "   ", exchanges: "     - ", "also when": "   also when " };

/** Draws the matrix with a row for each fault and a column for each point, so that it fits into 80 columns. */
function drawMatrix({ matrix: { points, rows }, trials }: Report, paint: typeof inColor): string[] {
  if (rows.length === 0) return [];
  const verdicts = new Map(trials.map(({ id, verdict }) => [id, verdict]));
  const sign = (id: string | null): string => {
    const verdict = id === null ? undefined : verdicts.get(id);
    return verdict === undefined ? " " : paint(COLORS[verdict], SIGNS[verdict]);
  };
  return [
    ...points.map((point, index) => `  ${" ".repeat(WIDTH)}${"│  ".repeat(index)}${point}`),
    ...rows.map((row) => `  ${row.fault.padEnd(WIDTH)}${row.trials.map(sign).join("  ")}`),
    `  ${LEGEND}`,
  ];
}

const WIDTH = 32;

type Color = keyof typeof CODES;

/** Select Graphic Rendition codes for on and off (ECMA-48, 8.3.117). */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

function inColor(color: Color, text: string): string {
  const [on, off] = CODES[color];
  return `\u001b[${on}m${text}\u001b[${off}m`;
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
