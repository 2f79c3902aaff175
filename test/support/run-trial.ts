import { testedAccount } from "../../src/cli/rehearsal/tested-account.ts";
import type { Sandbox } from "../../src/index.ts";
import { parseAppMap } from "../../src/verdict/application/app-map.ts";
import { Application } from "../../src/verdict/application/application.ts";
import type { ApplicationOrder } from "../../src/verdict/application/placed-order.ts";
import { newOrder, type OrderKind } from "../../src/verdict/application/new-order.ts";
import { type Evidence, type Trial, TrialRunner } from "../../src/verdict/trial/run-trial.ts";
import type { TrialStep } from "../../src/verdict/trial/steps.ts";
import { withAccount } from "../../src/verdict/trial/with-account.ts";
import { failOn } from "./finding-events.ts";
import { recordingTerminal } from "./system-terminal.ts";

interface PlayedTrial extends Partial<Pick<Trial, "scenarios" | "isContinued">> {
  /** Places airtime orders of these kinds. */
  readonly kinds: readonly OrderKind[];
  readonly steps: (orders: readonly ApplicationOrder[]) => readonly TrialStep[];
}

/** Runs one trial on a manual clock in an application beside a sandbox, as the commands do. */
export async function runTrial(
  sandbox: Sandbox,
  appMap: string,
  { kinds, steps, scenarios = [], isContinued }: PlayedTrial,
): Promise<Evidence> {
  const { url, consumerKey, consumerSecret } = sandbox;
  const { terminal } = recordingTerminal();
  const { clock, pause } = terminal;
  const target = { url, consumerKey, consumerSecret, adminToken: undefined, account: "default" };
  const asking = { gateway: { url, consumerKey }, interruption: new AbortController().signal };
  const account = testedAccount({ target, terminal, isRaw: false });
  const parsed = parseAppMap(appMap, "kredo.app.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const application = new Application(parsed.map, asking);
  const run = { seed: 7, startedAt: clock.now(), map: parsed.map };
  const orders: ApplicationOrder[] = [];
  for (const [index, kind] of kinds.entries())
    orders.push(newOrder("airtime", { ...run, draw: index, kind, first: orders[0] }));
  const environment = { ...asking, account, clock, pause, seed: run.seed, report: failOn };
  return withAccount("tried", environment, ({ runId: name, ...borrowed }) =>
    new TrialRunner({ application, ...borrowed }).run({
      name,
      seed: run.seed,
      clock: { mode: "manual" },
      scenarios,
      steps: steps(orders),
      isPatient: false,
      isContinued,
    }),
  );
}
