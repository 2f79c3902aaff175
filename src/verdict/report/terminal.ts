import { drawBalance } from "./balance.ts";
import { drawLife } from "./draw-life.ts";
import { type Color, inColor, type Paint } from "./paint.ts";
import { MAX_EXCHANGES } from "../checks/findings.ts";
import { LEGEND, SIGNS } from "./matrix.ts";
import type { Report, ReportedProblem } from "./report.ts";
import type { VerdictKind } from "../verdict.ts";
import { describeRest, listOutcomes } from "./describe-rest.ts";
import { describeProblem, describeRun, type ProblemDetail } from "./text.ts";
import { counted } from "../../gateway/domain/counted.ts";

/** The most lines of one report, unless all is asked for. */
const MAX_LINES = 60;

/** The most exchanges of one problem, and the most of what else shows it. */
const SHOWN = { exchanges: 6, "also when": 3, "so also": 3 };

interface TerminalOptions {
  readonly color: boolean;
  readonly isAll?: boolean;
}

/** Renders a report for a terminal: the problems with their exchanges, the matrix, and what was not looked at. */
export function renderTerminal(report: Report, { color, isAll = false }: TerminalOptions): string[] {
  const paint: Paint = color ? inColor : (_color, text) => text;
  const rest = [...describeRest(report), ...listOutcomes(report)].map(safe);
  const last = paint("bold", safe(`${report.summary}; ${describeRun(report)}.`));
  const blocks = report.problems.map((problem, index) => problemLines(problem, index + 1, report, { paint, isAll }));
  const matrix = drawMatrix(report, paint);
  const [most, words] = isAll ? [Infinity, Infinity] : [MAX_LINES, MAX_WORDS];
  const end = [
    ...rest.slice(0, words),
    ...(rest.length > words ? [`and ${counted(rest.length - words, "more line")}: --all`] : []),
    last,
  ];
  const start = [
    paint("bold", safe(report.name)),
    ...report.trials.flatMap(({ balance }) => (balance === undefined ? [] : [drawBalance(balance, paint)])),
  ];
  const room = most - end.length - start.length - 1;
  const whole = blocks.reduce((sum, block) => sum + block.length + 1, 0);
  const shown = whole + matrix.length <= room ? matrix : countVerdicts(report);
  return [...start, ...fit(blocks, room - shown.length), "", ...shown, ...end];
}

/** The most lines about what was not assessed or not looked at. */
const MAX_WORDS = 10;

/** The most problems of which one line is shown. */
const MAX_SHORT = 16;

/** Keeps the worst problems whole as long as there is room, and one line of each of the others. */
function fit(blocks: readonly string[][], room: number): string[] {
  let left = room - Math.min(blocks.length, MAX_SHORT);
  const lines = blocks.flatMap((block) => {
    const isWhole = block.length <= left;
    left -= isWhole ? block.length : 0;
    return isWhole ? ["", ...block] : block.slice(0, 1);
  });
  return lines.length <= room ? lines : [...lines.slice(0, room - 1), `and ${lines.length - room + 1} more: --all`];
}

/** Stands for the matrix where that is too long. */
function countVerdicts({ matrix, trials }: Report): string[] {
  if (matrix.rows.length === 0) return [];
  const counts = new Map<VerdictKind, number>();
  for (const { verdict } of trials) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const words = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  return [`Trials: ${words.join(", ")}. The matrix: --all, or --report report.html.`];
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

function problemLines(
  problem: ReportedProblem,
  number: number,
  report: Report,
  { paint, isAll }: { readonly paint: Paint; readonly isAll: boolean },
): string[] {
  const { is, id, sentence, life } = problem;
  const mark = is === "defect" ? id.replaceAll("-", " ").toUpperCase() : `${is}: ${id}`;
  const details = describeProblem(problem, report).flatMap((detail) => detailLines(detail, isAll));
  const drawn = is === "defect" && life !== undefined ? lifeLines(life, problem, paint) : [];
  return [`${paint(COLORS[is], `${number}. ${safe(mark)}:`)} ${safe(sentence)}`, ...drawn, ...details];
}

/** The exchanges of a finding may be cut, and the count of their orders with them. */
function lifeLines(
  { milestones, more }: NonNullable<ReportedProblem["life"]>,
  { exchanges }: ReportedProblem,
  paint: Paint,
): string[] {
  const drawn = drawLife(
    milestones.map((one) => ({ ...one, what: safe(one.what) })),
    paint,
  );
  return more === 0 ? drawn : [...drawn, `   and ${more} ${exchanges.length < MAX_EXCHANGES ? "more" : "or more"}`];
}

function detailLines({ label, texts }: ProblemDetail, isAll: boolean): string[] {
  if (!isAll && label === "assumes") return [];
  const most = (!isAll && Object.entries(SHOWN).find(([known]) => known === label)?.[1]) || texts.length;
  const rest = texts.length > most ? [`   and ${texts.length - most} more: --all`] : [];
  const start = MARKS[label] ?? `   ${label}: `;
  const first = label === "also when" && texts.length > 1 ? `   also when (${texts.length} in all): ` : start;
  return [...texts.slice(0, most).map((text, at) => safe((at === 0 ? first : start) + text)), ...rest];
}

/** The beginning of the lines that are not simply labelled. */
const MARKS: Readonly<Record<string, string>> = { truths: "   ", exchanges: "     - " };

/** Draws the matrix with a row for each fault and a column for each point, so that it fits into 80 columns. */
function drawMatrix({ matrix: { points, rows }, trials }: Report, paint: Paint): string[] {
  if (rows.length === 0) return [];
  const verdicts = new Map(trials.map(({ id, verdict }) => [id, verdict]));
  const sign = (id: string | null): string => {
    const verdict = id === null ? undefined : verdicts.get(id);
    return verdict === undefined ? " " : paint(COLORS[verdict], SIGNS[verdict]);
  };
  return [
    ...points.map((point, index) => `  ${" ".repeat(FAULT_WIDTH)}${"│  ".repeat(index)}${point}`),
    ...rows.map((row) => `  ${row.fault.padEnd(FAULT_WIDTH)}${row.trials.map(sign).join("  ")}`),
    `  ${LEGEND}`,
  ];
}

const FAULT_WIDTH = 32;

/** Returns a single line without control characters or characters that change the writing direction. */
function safe(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, showMark);
}

function showMark(mark: string): string {
  return `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
