import type { Millis } from "../../../gateway/domain/time.ts";
import { excerpt, shellVariables } from "../../application/ask.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./run-state.ts";

/**
 * Watches what somebody else drives, until the time is up, the command ends, or the step is interrupted. An interruption ends only this
 * step.
 */
export async function observe(limit: Millis, run: RunState): Promise<StepResult> {
  const end = await watch(limit, run);
  if (run.environment.interruption.aborted)
    run.environment = { ...run.environment, interruption: new AbortController().signal };
  return end;
}

async function watch(limit: Millis, { environment, values }: RunState): Promise<StepResult> {
  const { meanwhile: command, shell, interruption } = environment;
  if (command === undefined) {
    await environment.pause(limit, interruption).catch((reason: unknown) => throwUnless(interruption.aborted, reason));
    return DONE;
  }
  const ended = await shell({ command, environment: shellVariables(environment, values), limit }, interruption);
  if (ended.kind === "cut short") return interruption.aborted ? DONE : failedStep(`the command ${ended.reason}`);
  return ended.code === 0
    ? DONE
    : failedStep(`the command ended with ${ended.code}${excerpt(ended.complaint || ended.text)}`);
}

function throwUnless(isExpected: boolean, reason: unknown): void {
  if (!isExpected) throw reason;
}
