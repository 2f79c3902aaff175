import { SEVERITIES } from "../severities.ts";
import { moneyRank, ORDER_CHECK_IDS } from "../orders/order-checks.ts";
import { describeProfileTrial } from "../profile-trials.ts";
import { matrixOf } from "./matrix.ts";
import type { Report, ReportedEntry, ReportedProblem, TrialReport } from "./report.ts";
import type { Verdict } from "../verdict.ts";
import { maskNumbers } from "./mask-numbers.ts";
import { summarize } from "./text.ts";

/** Completes a report with its problems and its matrix, both of which follow from its trials. Only an exploration has progress. */
export function createReport(
  run: Omit<Report, "version" | "summary" | "problems" | "matrix" | keyof typeof OVER> & Partial<Report>,
): Report {
  const { not_looked_at, ...progress } = run;
  const trials = run.trials.map(maskNumbers);
  const problems = problemsOf(trials, run.seed);
  const state = { ...OVER, ...progress };
  const summary = summarize({ problems, trials, is_over: state.is_over });
  return { version: 1, ...state, summary, problems, matrix: matrixOf(trials), not_looked_at, trials };
}

const OVER = { is_over: true, doing: "", done: 0, total: 0, runs: 0, redundant: 0 };

/** Returns the problems of trials, most severe and most money at risk first: one for each check, whose repair is one, with every trial that has it. */
function problemsOf(trials: readonly TrialReport[], seed: number): ReportedProblem[] {
  const byCause = new Map<string, ReportedProblem>();
  for (const trial of trials) {
    for (const verdict of trial.verdicts) {
      const severity = SEVERITIES.find((one) => one === verdict.is);
      if (severity === undefined) continue;
      // What goes wrong under one profile alone has a repair of its own.
      const key = `${verdict.id} ${severity} ${profileConditionOf(trial) ?? ""}`;
      const known = byCause.get(key);
      if (known === undefined) byCause.set(key, problemOf(trial, { ...verdict, is: severity }, seed));
      else if (!known.trials.includes(trial.id)) known.trials.push(trial.id);
      // What was seen is of the first trial.
      else if (known.trials.length === 1) known.life = bothLives(known.life, verdict.life);
    }
  }
  return [...byCause.values()].toSorted((one, other) => rank(one) - rank(other));
}

function bothLives(first: Verdict["life"], other: Verdict["life"]): Verdict["life"] {
  return first && other ? { ...first, more: first.more + 1 + other.more } : (first ?? other);
}

export function problemOf(
  trial: TrialReport,
  verdict: Verdict & Pick<ReportedProblem, "is">,
  seed: number,
): ReportedProblem {
  const { title: _title, ...same } = verdict;
  return {
    ...same,
    sentence: headline(trial, verdict),
    exchanges: provingExchanges(verdict, trial),
    trials: [trial.id],
    replay: replayCommand(trial, seed),
  };
}

/** Names the cause in the words of what happened. */
export function headline(trial: Pick<TrialReport, "places" | "faults">, { id, title }: Verdict): string {
  const { places, faults } = trial;
  // A check of the traffic may have the id of a check of orders; its title is a sentence.
  const isAboutOrder = ORDER_CHECK_IDS.includes(id) && /^[a-z]/.test(title);
  const condition = profileConditionOf(trial);
  if (condition !== undefined)
    return sentence(`only if ${condition}, ${isAboutOrder ? `the application ${title}` : title}`);
  if (places.length === 0) return sentence(isAboutOrder ? `the application ${title}` : title);
  return sentence(isAboutOrder ? `when ${faults}, the application ${title}` : `${title} when ${faults}`);
}

function profileConditionOf({ places }: Pick<TrialReport, "places">): string | undefined {
  return describeProfileTrial(places.at(-1)?.fault);
}

/**
 * Finds what proves a verdict among the exchanges of its trial, in the order in which they happened, so that a cause comes before its
 * effect. If several entries are about one request, the first is the request itself.
 */
function provingExchanges({ exchanges }: Verdict, trial: TrialReport): ReportedProblem["exchanges"] {
  const keys = trial.exchanges.map(keyOf);
  const placeOf = (exchange: ExchangeId): number => keys.indexOf(keyOf(exchange));
  return exchanges
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((exchange) => trial.exchanges[placeOf(exchange)] ?? { ...exchange, title: nameOf(exchange) });
}

type ExchangeId = Pick<ReportedEntry, "kind" | "request_id" | "attempt">;

function keyOf({ request_id, attempt }: ExchangeId): string {
  return `${request_id} ${attempt ?? ""}`;
}

/** Only of what a journal has evicted is no more known than its id. */
function nameOf({ kind, request_id, attempt }: ExchangeId): string {
  const name = kind === "request" ? `request ${request_id}` : `callback ${attempt} of ${request_id}`;
  return `${name}, which is no longer in the journal`;
}

/** The command that plays a trial again. */
export function replayCommand({ file, places }: TrialReport, seed: number): string | undefined {
  if (file !== undefined) return `kredo rehearse ${file}`;
  if (places.length === 0) return undefined;
  return `kredo explore ${places.map(({ fault }) => `--fault ${fault}`).join(" ")} --seed ${seed}`;
}

function rank({ is, id }: Pick<ReportedProblem, "is" | "id">): number {
  return SEVERITIES.indexOf(is) * 1_000 + moneyRank(id);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}
