import { formatDuration, MINUTE, type Millis, SECOND } from "../../domain/time.ts";
import type { TestedAccount } from "../stage.ts";
import { type Course, failedStep, type StepEnd, WELL } from "./step.ts";

/** Turns of one `advance: all`, each over several things that are due; more than these have no end, as when each callback makes the application order again. */
const MOST_TURNS = 10_000;

/** Wall time that an account on a clock that goes by itself is waited for. */
const DRAIN_LIMIT: Millis = 2 * MINUTE;

/** Lets the account's time pass. */
export async function driveTime(by: Millis | "all", { stage, clock }: Course): Promise<StepEnd> {
  if (by === "all") return clock === "manual" ? advanceToTheEnd(stage.account) : drain(stage.account);
  if (clock !== "manual")
    return failedStep(`the clock is ${clock} and goes by itself; write clock: manual, or wait: ${formatDuration(by)}`);
  return (await stage.account.advance(by)).isComplete ? WELL : failedStep("receivers took so long that the clock stopped on the way");
}

async function advanceToTheEnd(account: TestedAccount): Promise<StepEnd> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { pending, isComplete } = await account.advance("next");
    if (!isComplete) return failedStep("receivers took so long that the clock stopped on the way");
    if (pending === 0) return WELL;
  }
  return failedStep(`something is still due after ${MOST_TURNS} turns; does each callback make another order?`);
}

async function drain(account: TestedAccount): Promise<StepEnd> {
  if (await account.drain(DRAIN_LIMIT)) return WELL;
  return failedStep(`not all was done within ${DRAIN_LIMIT / SECOND}s of wall time; a manual or a faster clock gets there`);
}
