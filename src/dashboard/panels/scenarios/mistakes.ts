import { ControlError } from "../../../control-client/control-client.ts";
import type { BegunScenarios, ScenarioPreview } from "../../../control-client/shapes.ts";

/** An error or a warning in a scenario's text, with its position counted from 1, and the correction. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly severity: "error" | "warning";
}

/** Returns the mistakes that a scenario was rejected for. Returns none if it was rejected for another reason. */
export function mistakesOf(error: unknown): Mistake[] {
  if (!(error instanceof ControlError) || error.status !== 422) return [];
  const { answer } = error;
  if (typeof answer !== "object" || answer === null || !("problems" in answer) || !Array.isArray(answer.problems)) {
    return [{ line: 1, column: 1, text: error.message.replace(/^422: /, ""), severity: "error" }];
  }
  return answer.problems.map((problem: Partial<ScenarioWarning>) => mistakeOf(problem, "error"));
}

/** Returns the warnings about a started scenario. */
export function doubtsOf({ warnings }: Pick<BegunScenarios, "warnings">): Mistake[] {
  return warnings.map((warning) => mistakeOf(warning, "warning"));
}

/** Returns the errors and warnings of a preview. */
export function judge({ problems, warnings }: Pick<ScenarioPreview, "problems" | "warnings">): Mistake[] {
  return [...problems.map((problem) => mistakeOf(problem, "error")), ...doubtsOf({ warnings })];
}

type ScenarioWarning = BegunScenarios["warnings"][number];

function mistakeOf(
  { line = 1, column = 1, path = "", problem = "", repair = "" }: Partial<ScenarioWarning>,
  severity: Mistake["severity"],
): Mistake {
  const subject = path === "" ? "" : /^(is|has|needs|takes|can|cannot) /.test(problem) ? `${path} ` : `${path}: `;
  return { line, column, text: `${subject}${problem}; ${repair}`, severity };
}

/** Returns the range to underline for a mistake, in characters from the beginning: the word at its position, or the rest of the line. */
export function stretchOf(
  text: string,
  { line, column }: Pick<Mistake, "line" | "column">,
): { from: number; to: number } {
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
