import type { Comparison } from "../domain/scenario.ts";
import { printCents } from "../scenario/say-values.ts";
import { formatDuration } from "../domain/time.ts";
import { runCommand } from "./ask.ts";
import { sayCountOf, sayMatch } from "./describe-expectation.ts";
import type { DriveStep } from "./rehearsal.ts";
import type { Check } from "./report.ts";
import { excerpt } from "./reply.ts";
import { unlessInterrupted } from "./stage.ts";
import { observe } from "./steps/observe.ts";
import { driveRequest } from "./steps/request.ts";
import { driveSandbox } from "./steps/sandbox.ts";
import { type Course, failedStep, type StepEnd, WELL } from "./steps/step.ts";
import { driveTime } from "./steps/time.ts";

/** Carries out the steps in order, up to the first that fails; answers the check that it failed. Throws `Unreachable` and `Interrupted`. */
export async function drive(steps: readonly DriveStep[], course: Course): Promise<Check | undefined> {
  for (const [index, step] of steps.entries()) {
    const name = `step ${index + 1}, ${describeStep(step)}`;
    course.stage.tell(name);
    const work = carryOut(step, course);
    const end = await (step.kind === "observe" ? work : unlessInterrupted(work, course.stage));
    if (end.is === "failed") return { name, verdict: { is: "failed", saw: end.saw, exchanges: [] } };
  }
  return undefined;
}

function carryOut(step: DriveStep, course: Course): Promise<StepEnd> {
  const { stage } = course;
  switch (step.kind) {
    case "request":
      return driveRequest(step, course);
    case "command":
      return driveCommand(step, course);
    case "sandbox":
      return driveSandbox(step, course);
    case "advance":
      return driveTime(step.by, course);
    case "top-up":
      return stage.account.topUp(step.amount).then(() => WELL);
    case "wait":
      return stage.pause(step.wait, stage.interruption).then(() => WELL);
    case "until":
      return waitForRequests(step, course);
    case "observe":
      return observe(step.limit, course);
  }
}

async function driveCommand({ run }: Extract<DriveStep, { kind: "command" }>, { stage, values }: Course): Promise<StepEnd> {
  const ended = await runCommand(run, stage, values);
  if (ended.kind === "cut short") return failedStep(`the command ${ended.reason}`);
  if (ended.kind !== "exited" || ended.code === 0) return WELL;
  return failedStep(`the command ended with ${ended.code}${excerpt(ended.complaint || ended.text)}`);
}

async function waitForRequests(step: Extract<DriveStep, { kind: "until" }>, { stage }: Course): Promise<StepEnd> {
  const { holds, actual } = await stage.account.untilRequests(step);
  return holds ? WELL : failedStep(`${actual} came within ${formatDuration(step.within)}`);
}

/** The step in a few words. */
function describeStep(step: DriveStep): string {
  switch (step.kind) {
    case "request":
      return `${step.ask.method} ${step.ask.url}${times(step.repeat)}`;
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
      return `until ${sayRequests(step.count)} ${sayMatch(step.match)}`.trim();
    case "observe":
      return `observe for up to ${formatDuration(step.limit)}`;
  }
}

function times(repeat: number): string {
  return repeat === 1 ? "" : `, ${repeat} times`;
}

/** "at least 1 request", "2 requests". */
function sayRequests(wanted: Comparison): string {
  const count = sayCountOf(wanted);
  return `${count} ${/^\D*1$/.test(count) ? "request" : "requests"}`;
}
