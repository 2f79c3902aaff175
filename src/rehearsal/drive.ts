import type { Comparison } from "../scenario/comparison.ts";
import { printCents } from "../scenario/values.ts";
import { formatDuration } from "../domain/time.ts";
import { runCommand } from "./ask-application.ts";
import { countText, matchText } from "./describe-expectation.ts";
import type { DriveStep } from "./rehearsal.ts";
import type { Check } from "./report.ts";
import { excerpt } from "./reply.ts";
import { unlessInterrupted } from "./rehearsal-environment.ts";
import { observe } from "./steps/observe.ts";
import { driveRequest } from "./steps/request.ts";
import { driveSandbox } from "./steps/sandbox.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./steps/run-state.ts";
import { driveTime } from "./steps/time.ts";

/** The check of the step that failed. */
export interface StoppedAt extends Check {
  readonly step: DriveStep;
}

/** Carries out the steps in order, up to the first that fails; answers the check that it failed. Throws `ApplicationUnreachable` and `Interrupted`. */
export async function drive(steps: readonly DriveStep[], run: RunState): Promise<StoppedAt | undefined> {
  for (const [index, step] of steps.entries()) {
    const name = `step ${index + 1}, ${describeStep(step)}`;
    run.environment.onProgress(name);
    const work = carryOut(step, run);
    const end = await (step.kind === "observe" ? work : unlessInterrupted(work, run.environment));
    if (end.is === "failed") return { step, name, verdict: { is: "failed", seen: end.seen, exchanges: [] } };
  }
  return undefined;
}

function carryOut(step: DriveStep, run: RunState): Promise<StepResult> {
  const { environment } = run;
  switch (step.kind) {
    case "request":
      return driveRequest(step, run);
    case "command":
      return driveCommand(step, run);
    case "sandbox":
      return driveSandbox(step, run);
    case "advance":
      return driveTime(step.by, run);
    case "top-up":
      return environment.account.topUp(step.amount).then(() => DONE);
    case "wait":
      return environment.pause(step.wait, environment.interruption).then(() => DONE);
    case "until":
      return waitForRequests(step, run);
    case "observe":
      return observe(step.limit, run);
  }
}

async function driveCommand({ run }: Extract<DriveStep, { kind: "command" }>, { environment, values }: RunState): Promise<StepResult> {
  const ended = await runCommand(run, environment, values);
  if (ended.kind === "cut short") return failedStep(`the command ${ended.reason}`);
  if (ended.kind !== "exited" || ended.code === 0) return DONE;
  return failedStep(`the command ended with ${ended.code}${excerpt(ended.complaint || ended.text)}`);
}

async function waitForRequests(step: Extract<DriveStep, { kind: "until" }>, { environment }: RunState): Promise<StepResult> {
  const { holds, actual } = await environment.account.untilRequests(step);
  return holds ? DONE : failedStep(`${actual} came within ${formatDuration(step.within)}`);
}

/** The step in a few words. */
function describeStep(step: DriveStep): string {
  switch (step.kind) {
    case "request":
      return `${step.request.method} ${step.request.url}${times(step.repeat)}`;
    case "command":
      return `command ${step.run.command}`;
    case "sandbox":
      return `the sandbox's own ${step.order.operation}${times(step.repeat)}`;
    case "advance":
      return `advance ${step.by === "all" ? "to the end" : formatDuration(step.by)}`;
    case "top-up":
      return `top-up of ${printCents(step.amount)}`;
    case "wait":
      return `wait ${formatDuration(step.wait)}`;
    case "until":
      return `until ${requestsText(step.count)} ${matchText(step.match)}`.trim();
    case "observe":
      return `observe for up to ${formatDuration(step.limit)}`;
  }
}

function times(repeat: number): string {
  return repeat === 1 ? "" : `, ${repeat} times`;
}

/** "at least 1 request", "2 requests". */
function requestsText(wanted: Comparison): string {
  const count = countText(wanted);
  return `${count} ${/^\D*1$/.test(count) ? "request" : "requests"}`;
}
