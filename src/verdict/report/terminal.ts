import type { Severity } from "../checks/finding.ts";
import { drawMatrix } from "./matrix.ts";
import { problemsOf } from "./problems.ts";
import type { VerdictProblem, Report, TrialReport, Verdict } from "./report.ts";
import {
  describeCoverage,
  describeExchange,
  describeNotAssessed,
  describeNotLookedAt,
  describeOpen,
  describeProblems,
  describeRuns,
  formatShort,
  indexTimeline,
  replayCommand,
} from "./text.ts";

export interface TerminalStyle {
  readonly color: boolean;
  /** The terminal's width; lines are not wrapped if it is unknown. */
  readonly columns?: number;
  /** The rehearsal files that replay trials, by id of the trial. */
  readonly replays?: ReadonlyMap<string, string>;
}

/** The most exchanges, and the most other trials, shown for one problem. The other report formats show all of them. */
const SHOWN = 8;

/** Renders a report for a terminal: the matrix, the problems with their exchanges, and what it covers. */
export function renderTerminal(report: Report, style: TerminalStyle): string[] {
  const page = new Page(style);
  const { progress, seed, trials } = report;
  page.write(0, { text: report.name, color: "bold" });
  page.lines.push(...drawMatrix(trials, style.color));
  for (const [index, problem] of problemsOf(report).entries())
    writeProblem(page, problem, { number: index + 1, report, replays: style.replays ?? new Map() });
  page.lines.push("");
  for (const line of [describeOpen(report), ...describeNotAssessed(report), describeNotLookedAt(report)])
    if (line !== undefined) page.write(0, line);
  for (const { evicted } of trials)
    if (evicted !== undefined)
      page.write(0, `Incomplete: the first ${evicted} requests were evicted from the journal.`);
  const runs = progress.total > 0 ? ` in ${describeRuns(report)}` : "";
  const took = `${describeCoverage(report)}${runs}, seed ${seed}, took ${formatShort(report.durationMillis)}`;
  page.write(0, { text: `${describeProblems(report)}; ${took}.`, color: "bold" });
  if (progress.stopped !== undefined) page.write(0, `Not everything was tried: ${progress.stopped}.`);
  return page.lines;
}

const SEVERITY_COLORS: Readonly<Record<Severity, Color>> = {
  defect: "red",
  risk: "yellow",
  cost: "yellow",
  hint: "dim",
};

interface ProblemStyle {
  readonly number: number;
  readonly report: Report;
  readonly replays: ReadonlyMap<string, string>;
}

function writeProblem(page: Page, problem: VerdictProblem, { number, report, replays }: ProblemStyle): void {
  const { is, id, sentence, first, trials } = problem;
  const [trial, ...others] = trials;
  if (trial === undefined) return;
  page.lines.push("");
  const mark = is === "defect" ? id.replaceAll("-", " ").toUpperCase() : `${is}: ${id}`;
  page.write(0, { text: `${number}. ${mark}:`, color: SEVERITY_COLORS[is] }, sentence);
  writeSeen(page, first, trial);
  for (const follows of first.follows) page.write(3, "so also:", describeFollowing(follows));
  for (const other of others.slice(0, SHOWN)) page.write(3, "also when", `${other.faults} (${other.id})`);
  if (others.length > SHOWN)
    page.write(3, `and ${others.length - SHOWN} other ${others.length - SHOWN === 1 ? "failure" : "failures"}`);
  writeAdvice(page, first);
  const replay = is === "defect" ? replayCommand(trial, { seed: report.seed, replays }) : undefined;
  if (replay !== undefined) page.write(3, "replay:", replay);
}

/** Writes what was seen, with the exchanges that prove it. */
function writeSeen(page: Page, { seen, count, exchanges }: Verdict, { id, timeline }: TrialReport): void {
  const times = count > 1 ? ` (${count} times)` : "";
  page.write(3, "seen:", `${seen}${times} (${id})`);
  const known = indexTimeline(timeline);
  for (const exchange of exchanges.slice(0, SHOWN)) page.write(5, "-", describeExchange(exchange, known));
  if (exchanges.length > SHOWN) page.write(5, "-", `and ${exchanges.length - SHOWN} more`);
}

function writeAdvice(page: Page, { why, repair, assumes }: Verdict): void {
  if (why !== undefined) page.write(3, "why:", why);
  if (repair !== undefined) page.write(3, "repair:", repair);
  if (assumes !== undefined) page.write(3, { text: "assumes:", color: "dim" }, { text: assumes, color: "dim" });
}

function describeFollowing({ id, seen }: Verdict): string {
  return `${seen.replace(/\.$/, "")} (${id})`;
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
