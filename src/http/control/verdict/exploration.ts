import type { Account } from "../../../engine/account.ts";
import { type ExplorationJson, explorationShape } from "../../../verdict/exploration/report-json.ts";
import { HttpProblem } from "../../problem.ts";
import { accountEndpoint, type Endpoint } from "../endpoint.ts";

/** The latest exploration of each account, for the dashboard. Not stored beyond the process, nor when another replica takes the account. */
const latest = new WeakMap<Account, ExplorationJson>();

const observers = new Set<(explored: Account) => void>();

/** Calls `changed` whenever an exploration of the account is replaced. Returns a function that unsubscribes. */
export function observeExploration(account: Account, changed: () => void): () => void {
  const observer = (explored: Account): void => void (explored === account && changed());
  observers.add(observer);
  return () => void observers.delete(observer);
}

/** Returns the progress and results of the account's latest exploration, without its cells. */
export function explorationProgress(account: Account): Omit<ExplorationJson, "cells"> | undefined {
  const exploration = latest.get(account);
  if (exploration === undefined) return undefined;
  const { cells: _cells, ...progress } = exploration;
  return progress;
}

const answers = { 200: { description: "The exploration", schema: explorationShape } };

/** `kredo explore` updates its report here while it runs, and the dashboard shows it. */
export const EXPLORATION_ENDPOINTS: readonly Endpoint[] = [
  accountEndpoint(
    {
      method: "get",
      path: "/accounts/{account}/exploration",
      summary: "Read the account's latest exploration, even while it is running",
      answers,
    },
    ({ account }) => {
      const exploration = latest.get(account);
      if (exploration === undefined)
        throw new HttpProblem(404, [
          "no exploration of the account is stored",
          "run kredo explore --url with this sandbox",
        ]);
      return exploration;
    },
  ),
  accountEndpoint(
    {
      method: "put",
      path: "/accounts/{account}/exploration",
      summary: "Replace the latest exploration, as kredo explore does while running",
      body: explorationShape,
      answers,
    },
    ({ account, body }) => {
      latest.set(account, body);
      for (const observer of observers) observer(account);
      return body;
    },
  ),
];
