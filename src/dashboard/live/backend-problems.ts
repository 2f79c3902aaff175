import { SEVERITIES } from "../../verdict/severities.ts";
import type { FindingJson, ReportedProblem, TrialReport } from "../../verdict/endpoints/shapes.ts";
import type { Tone } from "../base/words.ts";

/** The verdicts, from worst to best. Each has its own sign, for people who cannot tell the colours apart. */
export const VERDICTS: Readonly<
  Record<TrialReport["verdict"], { readonly sign: string; readonly title: string; readonly tone: Tone }>
> = {
  defect: { sign: "✕", title: "Defect", tone: "bad" },
  risk: { sign: "!", title: "Risk", tone: "warm" },
  cost: { sign: "!", title: "Cost", tone: "warm" },
  hint: { sign: "!", title: "Hint", tone: "plain" },
  open: { sign: "?", title: "Correct: left open for review", tone: "warm" },
  "not assessed": { sign: "–", title: "Not assessed", tone: "plain" },
  right: { sign: "✓", title: "Right", tone: "good" },
};

/** One problem of the backend, seen by the latest exploration or rehearsal, in its live traffic, or both. */
export interface ListedProblem {
  readonly is: ReportedProblem["is"];
  /** The id of the check. */
  readonly id: string;
  readonly sentence: string;
  readonly reported?: ReportedProblem;
  /** One for each subject: a phone number, a URL. */
  readonly findings: readonly FindingJson[];
}

/**
 * Lists problems, the most severe first, and of those an order that was sold twice, then as reported. A finding of a check that is
 * reported already, or follows from what is, is no problem of its own.
 */
export function listProblems(findings: readonly FindingJson[], reported: readonly ReportedProblem[]): ListedProblem[] {
  const problems: (ListedProblem & { findings: FindingJson[] })[] = reported.map((one) => {
    const { is, id, sentence } = one;
    return { is, id, sentence, reported: one, findings: [] };
  });
  for (const finding of findings) {
    const { id, severity, title } = finding;
    const known = problems.find((one) => one.id === id || one.reported?.follows.some((other) => other.id === id));
    if (known !== undefined) known.findings.push(finding);
    else problems.push({ is: severity, id, sentence: `${title}.`, findings: [finding] });
  }
  return problems.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ is, id }: ListedProblem): number {
  return SEVERITIES.indexOf(is) * 2 + Number(id !== "sold-twice");
}
