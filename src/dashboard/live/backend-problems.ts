import { computed } from "@preact/signals";
import type { FindingJson, ReportedProblem } from "../../../verdict/endpoints/shapes.ts";
import type { Tone } from "../base/words.ts";
import { account, live } from "./store.ts";

/** The severities from worst to least. */
export const SEVERITIES: Readonly<Record<ReportedProblem["is"], { readonly many: string; readonly tone: Tone }>> = {
  defect: { many: "Defects", tone: "bad" },
  risk: { many: "Risks", tone: "warm" },
  cost: { many: "Costs", tone: "warm" },
  hint: { many: "Hints", tone: "plain" },
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
  return Object.keys(SEVERITIES).indexOf(is) * 2 + Number(id !== "sold-twice");
}

/** The problems that the account's stream tells of. */
export const liveProblems = computed(() => {
  const findings = [...(account.value?.reading.findings.values() ?? [])];
  return listProblems(findings, live.value?.exploration.value?.problems ?? []);
});

/** The worst severity that can lose money, and the number of its problems. Undefined if there are none. */
export const worstProblems = computed(() => {
  const worst = liveProblems.value[0]?.is;
  if (worst !== "defect" && worst !== "risk") return undefined;
  return { severity: worst, count: liveProblems.value.filter(({ is }) => is === worst).length };
});
