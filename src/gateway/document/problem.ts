/** One mistake in a document: its position, what is wrong, and how to repair it. */
export interface Problem {
  readonly file: string;
  /** Counted from 1, as in editors. */
  readonly line: number;
  readonly column: number;
  /** The path of keys, such as `accounts[0].balance`; empty for a syntax error. */
  readonly path: string;
  readonly problem: string;
  readonly repair: string;
}

export type Path = readonly (string | number)[];

export function formatProblem(mistake: Problem): string {
  return `${mistake.file}:${mistake.line}:${mistake.column}  ${formatMistake(mistake.path, mistake)}`;
}

export function formatMistake(place: string, { problem, repair }: { problem: string; repair: string }): string {
  return `${sayProblem(place, problem)}; ${repair}`;
}

/**
 * Joins a place and a problem into a sentence. The place becomes the subject of a problem that starts with a verb; otherwise a colon
 * separates them.
 */
export function sayProblem(place: string, problem: string): string {
  if (place === "") return problem;
  return /^(is|has|needs|takes|can|cannot) /.test(problem) ? `${place} ${problem}` : `${place}: ${problem}`;
}

/** Writes a path as people do: `accounts[0].balance`, `numbers.ported["254722000111"]`. */
export function formatPath(path: Path): string {
  const text = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[\w$-]*[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return text.join("").replace(/^\./, "");
}
