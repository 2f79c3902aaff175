import type { RunningAccount } from "../../gateway/engine/account.ts";
import { type ReportJson, reportShape } from "../report/json.ts";
import { HttpProblem } from "../../control/problem.ts";
import { accountRoute, type ControlRoute } from "../../control/route.ts";

/** The latest exploration of each account, for the dashboard. Not stored beyond the process, nor when another replica takes the account. */
const latest = new WeakMap<RunningAccount, ReportJson>();

const observers = new Set<(explored: RunningAccount) => void>();

/** Calls `changed` whenever an exploration of the account is replaced. Returns a function that unsubscribes. */
export function observeExploration(account: RunningAccount, changed: () => void): () => void {
  const observer = (explored: RunningAccount): void => void (explored === account && changed());
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** Returns the progress and results of the account's latest exploration, without its trials. */
export function explorationProgress(account: RunningAccount): Omit<ReportJson, "trials"> | undefined {
  const exploration = latest.get(account);
  if (exploration === undefined) return undefined;
  const { trials: _trials, ...progress } = exploration;
  return progress;
}

/** `kredo explore` updates its report here while it runs, and the dashboard shows it. */
export const EXPLORATION_ROUTES: readonly ControlRoute[] = [
  accountRoute("GET", "/exploration", {
    summary: "Read the account's latest exploration, even while it is running",
    answer: reportShape,
    serve({ account }) {
      const exploration = latest.get(account);
      if (exploration !== undefined) return exploration;
      throw new HttpProblem(404, [
        "no exploration of the account is stored",
        "run kredo explore --url with this sandbox",
      ]);
    },
  }),
  accountRoute("PUT", "/exploration", {
    summary: "Replace the latest exploration, as kredo explore does while running",
    body: reportShape,
    answer: reportShape,
    serve({ account, body }) {
      latest.set(account, body);
      for (const observer of observers) observer(account);
      return body;
    },
  }),
];
