import { Hono } from "hono";
import type { RunningAccount } from "../../gateway/engine/account.ts";
import { type Report, reportShape } from "../report/report.ts";
import { HttpProblem } from "../../control/problem.ts";
import { describeRoute } from "../../control/describe-route.ts";
import type { AccountEnv } from "../../control/env.ts";
import { validBody } from "../../control/validate.ts";

/** The report of the latest exploration or rehearsal of each account, for the dashboard. Not stored beyond the process, nor when another replica takes the account. */
const latest = new WeakMap<RunningAccount, Report>();

const observers = new Set<(explored: RunningAccount) => void>();

/** Calls `changed` whenever an exploration of the account is replaced. Returns a function that unsubscribes. */
export function observeExploration(account: RunningAccount, changed: () => void): () => void {
  const observer = (explored: RunningAccount): void => void (explored === account && changed());
  observers.add(observer);
  return () => void observers.delete(observer);
}

export function explorationProgress(account: RunningAccount): Omit<Report, "trials"> | undefined {
  const exploration = latest.get(account);
  if (exploration === undefined) return undefined;
  const { trials: _trials, ...progress } = exploration;
  return progress;
}

/** `kredo explore` and `kredo rehearse` update their reports here while they run, and the dashboard shows it. */
export const explorationCalls = new Hono<AccountEnv>()
  .get(
    "/exploration",
    describeRoute(
      "Read the report of the account's latest exploration or rehearsal, even while it is running",
      reportShape,
    ),
    (c) => {
      const exploration = latest.get(c.var.account);
      if (exploration !== undefined) return c.json(exploration);
      throw new HttpProblem(404, [
        "no exploration or rehearsal of the account is stored",
        "run kredo explore --url with this sandbox",
      ]);
    },
  )
  .put(
    "/exploration",
    describeRoute("Replace the latest report, as kredo explore and kredo rehearse do while running", reportShape),
    validBody(reportShape),
    (c) => {
      const { account } = c.var;
      latest.set(account, c.req.valid("json"));
      for (const observer of observers) observer(account);
      return c.json(c.req.valid("json"));
    },
  );
