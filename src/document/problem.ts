/** One mistake in a document: where it stands, what it is, and what to write instead. */
export interface Problem {
  readonly file: string;
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly column: number;
  /** The keys that lead there: `accounts[0].balance`; empty for a mistake of syntax. */
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

/** The sentence about a place: a problem that begins with its verb has the place for its subject, any other follows a colon. */
export function sayProblem(place: string, problem: string): string {
  if (place === "") return problem;
  return /^(is|has|needs|takes|can) /.test(problem) ? `${place} ${problem}` : `${place}: ${problem}`;
}

/** The path as people write it: `accounts[0].balance`, `numbers.ported["254722000111"]`. */
export function formatPath(path: Path): string {
  const text = path.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return /^[\w$-]*[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return text.join("").replace(/^\./, "");
}
