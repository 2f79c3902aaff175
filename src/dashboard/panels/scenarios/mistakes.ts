import { ControlError } from "../../../control-client/control-client.ts";
import type { BegunScenarios, ScenarioPreview } from "../../../control-client/shapes.ts";

/** A mistake or a doubt in a scenario's text: where it stands, counted from 1, what it is, and what to write instead. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly severity: "error" | "warning";
}

/** The mistakes that a scenario was refused for; none where it was refused for something else. */
export function mistakesOf(error: unknown): Mistake[] {
  if (!(error instanceof ControlError) || error.status !== 422) return [];
  const { answer } = error;
  if (typeof answer !== "object" || answer === null || !("problems" in answer) || !Array.isArray(answer.problems)) {
    return [{ line: 1, column: 1, text: error.message.replace(/^422: /, ""), severity: "error" }];
  }
  return answer.problems.map((problem: Partial<Written>) => mistakeOf(problem, "error"));
}

/** What a scenario that began was warned of. */
export function doubtsOf({ warnings }: Pick<BegunScenarios, "warnings">): Mistake[] {
  return warnings.map((warning) => mistakeOf(warning, "warning"));
}

/** The mistakes and the doubts that a preview tells of. */
export function judge({ problems, warnings }: Pick<ScenarioPreview, "problems" | "warnings">): Mistake[] {
  return [...problems.map((problem) => mistakeOf(problem, "error")), ...doubtsOf({ warnings })];
}

type Written = BegunScenarios["warnings"][number];

function mistakeOf(
  { line = 1, column = 1, path = "", problem = "", repair = "" }: Partial<Written>,
  severity: Mistake["severity"],
): Mistake {
  const subject = path === "" ? "" : /^(is|has|needs|takes|can|cannot) /.test(problem) ? `${path} ` : `${path}: `;
  return { line, column, text: `${subject}${problem}; ${repair}`, severity };
}

/** From where to where to underline a mistake, in characters from the beginning: the word that stands there, or the rest of the line. */
export function stretchOf(text: string, { line, column }: Pick<Mistake, "line" | "column">): { from: number; to: number } {
  const lines = text.split("\n");
  const index = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, index).reduce((sum, before) => sum + before.length + 1, 0);
  const written = lines[index]?.replace(/\r$/, "") ?? "";
  const offset = Math.min(column - 1, written.length);
  const rest = written.slice(offset);
  const [word = ""] = /^"[^"]*"|^'[^']*'|^[^\s,:{}[\]]+/.exec(rest) ?? [];
  const length = word.length > 0 ? word.length : rest.trimEnd().length;
  return { from: start + offset, to: start + offset + length };
}
