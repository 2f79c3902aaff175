import { ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import { type VerdictProblem, SEVERITIES, type Report, type TrialReport, type Verdict } from "./report.ts";

/** Returns the problems of a report, most severe and most money at risk first: one for each check and cause, with every trial that has it. */
export function problemsOf({ trials }: Pick<Report, "trials">): VerdictProblem[] {
  const byCause = new Map<string, VerdictProblem & { trials: TrialReport[] }>();
  for (const trial of trials) {
    for (const verdict of trial.verdicts) {
      const severity = SEVERITIES.find((one) => one === verdict.is);
      if (severity === undefined) continue;
      const key = `${verdict.id} ${severity} ${severity === "defect" ? causeOf(trial) : ""}`;
      const known = byCause.get(key);
      if (known === undefined)
        byCause.set(key, {
          is: severity,
          id: verdict.id,
          sentence: headline(trial, verdict),
          first: verdict,
          trials: [trial],
        });
      else if (!known.trials.includes(trial)) known.trials.push(trial);
    }
  }
  return [...byCause.values()].toSorted((one, other) => rank(one) - rank(other));
}

export function defectsOf(report: Pick<Report, "trials">): VerdictProblem[] {
  return problemsOf(report).filter(({ is }) => is === "defect");
}

/** Names the cause in the words of what happened. */
export function headline({ places, faults }: Pick<TrialReport, "places" | "faults">, { id, title }: Verdict): string {
  const isAboutOrder = ORDER_CHECK_IDS.includes(id);
  if (places.length === 0) return sentence(isAboutOrder ? `the application ${title}` : title);
  return sentence(isAboutOrder ? `when ${faults}, the application ${title}` : `${title} when ${faults}`);
}

/** Returns what trials have in common that show one cause. The last fault is the one that a trial adds. */
function causeOf({ places, id }: TrialReport): string {
  const fault = places.at(-1)?.fault;
  if (fault === undefined) return id;
  return CAUSES.find(([pattern]) => pattern.test(fault))?.[1] ?? fault;
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(reset|empty|hang|truncate|garbage|drip)-|^slow-acknowledgment$/, "no complete answer in time"],
  [/^proxy-/, "an answer of a proxy"],
  [/^result-/, "a failed result"],
  [/^callback-(twice|three)|^failure-twice$|-callback-twice$/, "a repeated callback"],
  [/^contradiction-/, "a contradicting callback"],
  [/-before-ack$/, "an early callback"],
  [/-wrong-content-type$/, "an unusual content type"],
  [/^refused-/, "a refusal"],
];

function rank({ is, id }: VerdictProblem): number {
  const known = ORDER_CHECK_IDS.indexOf(id);
  return SEVERITIES.indexOf(is) * 1_000 + (known === -1 ? ORDER_CHECK_IDS.length : known);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}
