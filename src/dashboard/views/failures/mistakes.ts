import { ControlError } from "../../../control/client/control-client.ts";
import type { ScenarioPreview } from "../../../control/client/shapes.ts";

/** A mistake in a scenario's text, with its position counted from 1, and the correction. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Returns the mistakes that a scenario was rejected for. Returns none if it was rejected for another reason. */
export function mistakesOf(error: unknown): Mistake[] {
  if (!(error instanceof ControlError) || error.status !== 422) return [];
  const { answer } = error;
  if (typeof answer !== "object" || answer === null || !("problems" in answer) || !Array.isArray(answer.problems)) {
    return [{ line: 1, column: 1, text: error.message.replace(/^422: /, "") }];
  }
  return answer.problems.map(mistakeOf);
}

/** Returns a mistake as the page shows it. */
export function mistakeOf({
  line = 1,
  column = 1,
  path = "",
  problem = "",
  repair = "",
}: Partial<ScenarioPreview["problems"][number]>): Mistake {
  const subject = path === "" ? "" : /^(is|has|needs|takes|can|cannot) /.test(problem) ? `${path} ` : `${path}: `;
  return { line, column, text: `${subject}${problem}; ${repair}` };
}

/** Returns the range to underline for a mistake, in characters from the beginning: the word at its position, or the rest of the line. */
export function underlinedRange(
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
