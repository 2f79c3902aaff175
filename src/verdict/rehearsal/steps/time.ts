import { formatDuration, MINUTE, type Millis, SECOND } from "../../../gateway/domain/time.ts";
import type { RehearsalEnvironment } from "../rehearsal-environment.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./run-state.ts";

/** Wall time to wait until nothing is due. */
const DRAIN_LIMIT: Millis = 2 * MINUTE;

/** Lets the account's time pass. */
export async function driveTime(by: Millis | "all", { environment, clock }: RunState): Promise<StepResult> {
  const { account } = environment;
  if (by === "all") return clock === "manual" ? advanceToTheEnd(environment) : drain(account);
  if (clock !== "manual")
    return failedStep(
      `the clock is ${clock} and advances by itself; write clock: manual, or wait: ${formatDuration(by)}`,
    );
  return (await account.advance(by)).isComplete ? DONE : failedStep(SLOW);
}

const SLOW = "receivers took so long that the clock stopped before its target";

/** Advances a manual clock until nothing is due, except what waits for a client that never disconnects. */
export async function advanceToTheEnd({
  account,
  clock,
}: Pick<RehearsalEnvironment, "account" | "clock">): Promise<StepResult> {
  const end = clock.now() + DRAIN_LIMIT;
  do {
    const { pending, isComplete, hasMoved } = await account.advance("next");
    if (!isComplete) return failedStep(SLOW);
    if (pending === 0 || !hasMoved) return DONE;
  } while (clock.now() < end);
  return failedStep(
    `something is still due after ${DRAIN_LIMIT / SECOND}s of wall time; does each callback make the application order again?`,
  );
}

async function drain(account: RehearsalEnvironment["account"]): Promise<StepResult> {
  if (await account.drain(DRAIN_LIMIT)) return DONE;
  return failedStep(
    `not everything was done within ${DRAIN_LIMIT / SECOND}s of wall time; use a manual or a faster clock`,
  );
}
