import { formatDuration, MINUTE, type Millis, SECOND } from "../../domain/time.ts";
import type { TestedAccount } from "../rehearsal-environment.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./run-state.ts";

/** Turns of one `advance: all`, each over several things that are due; more than these have no end, as when each callback makes the application order again. */
const MOST_TURNS = 10_000;

/** Wall time that an account on a clock that goes by itself is waited for. */
const DRAIN_LIMIT: Millis = 2 * MINUTE;

/** Lets the account's time pass. */
export async function driveTime(by: Millis | "all", { environment, clock }: RunState): Promise<StepResult> {
  if (by === "all") return clock === "manual" ? advanceToTheEnd(environment.account) : drain(environment.account);
  if (clock !== "manual")
    return failedStep(`the clock is ${clock} and goes by itself; write clock: manual, or wait: ${formatDuration(by)}`);
  return (await environment.account.advance(by)).isComplete ? DONE : failedStep("receivers took so long that the clock stopped on the way");
}

async function advanceToTheEnd(account: TestedAccount): Promise<StepResult> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { pending, isComplete, hasMoved } = await account.advance("next");
    if (!isComplete) return failedStep("receivers took so long that the clock stopped on the way");
    if (pending === 0 || !hasMoved) return DONE;
  }
  return failedStep(`something is still due after ${MOST_TURNS} turns; does each callback make another order?`);
}

async function drain(account: TestedAccount): Promise<StepResult> {
  if (await account.drain(DRAIN_LIMIT)) return DONE;
  return failedStep(`not all was done within ${DRAIN_LIMIT / SECOND}s of wall time; a manual or a faster clock gets there`);
}
