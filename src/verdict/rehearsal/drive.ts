import type { Comparison } from "../../gateway/scenario/comparison.ts";
import { printCents } from "../../gateway/scenario/values.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import { excerpt, runCommand } from "../application/ask.ts";
import { methodOf, type ShellCommand } from "../application/request.ts";
import { countText, matchText } from "./describe-expectation.ts";
import type { Check } from "./report.ts";
import { unlessInterrupted } from "./rehearsal-environment.ts";
import { observe } from "./steps/observe.ts";
import { driveOrders } from "./steps/order.ts";
import { driveRequest } from "./steps/request.ts";
import { driveSandbox } from "./steps/sandbox.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./steps/run-state.ts";
import { driveTime } from "./steps/time.ts";
import type { SandboxStep, Step, UntilStep } from "./step-schema.ts";

/** The failed check of the step at which the drive stopped. */
export interface StoppedAt extends Check {
  readonly step: Step;
}

/** Carries out the steps in order until one fails. Returns the failed step's check. Throws `ApplicationUnreachable` and `Interrupted`. */
export async function drive(steps: readonly Step[], run: RunState): Promise<StoppedAt | undefined> {
  for (const [index, step] of steps.entries()) {
    const name = `step ${index + 1}, ${describeStep(step)}`;
    run.environment.onProgress(name);
    const work = carryOut(step, run);
    const end = await (step.observe === undefined ? unlessInterrupted(work, run.environment) : work);
    if (end.is === "failed") return { step, name, verdict: { is: "failed", seen: end.seen, exchanges: [] } };
  }
  return undefined;
}

async function carryOut(step: Step, run: RunState): Promise<StepResult> {
  const { environment } = run;
  if (step.order !== undefined) return driveOrders(step.order, run);
  if (step.request !== undefined) return driveRequest(step.request, run);
  if (step.command !== undefined) return driveCommand(step.command, run);
  if (step.advance !== undefined) return driveTime(step.advance, run);
  if (step.until !== undefined) return waitForRequests(step.until, run);
  if (step.observe !== undefined) return observe(step.observe, run);
  if (step.sandbox !== undefined) await driveSandbox(step.sandbox, run);
  if (step.top_up !== undefined) await environment.account.topUp(step.top_up);
  if (step.wait !== undefined) await environment.pause(step.wait, environment.interruption);
  return DONE;
}

async function driveCommand(command: ShellCommand, { environment, values }: RunState): Promise<StepResult> {
  const ended = await runCommand(command, environment, values);
  if (ended.kind === "cut short") return failedStep(`the command ${ended.reason}`);
  if (ended.kind !== "exited" || ended.code === 0) return DONE;
  return failedStep(`the command ended with ${ended.code}${excerpt(ended.complaint || ended.text)}`);
}

async function waitForRequests(until: UntilStep, { environment }: RunState): Promise<StepResult> {
  const { holds, actual } = await environment.account.untilRequests(until);
  return holds ? DONE : failedStep(`${actual} arrived within ${formatDuration(until.within)}`);
}

/** Describes a step in a few words. */
function describeStep({ advance, top_up, wait, until, observe: limit, ...step }: Step): string {
  const words = [
    describeActor(step),
    advance !== undefined && describeAdvance(advance),
    top_up !== undefined && `top-up of ${printCents(top_up)}`,
    wait !== undefined && `wait ${formatDuration(wait)}`,
    until && `until ${requestsText(until.count)} ${matchText(until.match)}`.trim(),
    limit !== undefined && `observe for up to ${formatDuration(limit)}`,
  ];
  return words.find((word) => typeof word === "string") ?? "";
}

function describeActor({
  order,
  request,
  command,
  sandbox,
}: Pick<Step, "order" | "request" | "command" | "sandbox">): string | undefined {
  if (order !== undefined) return `${order.operation} order${times(order.repeat)}`;
  if (request !== undefined) return `${methodOf(request)} ${request.url}${times(request.repeat)}`;
  if (command !== undefined) return `command ${command.run}`;
  return sandbox && describeSandbox(sandbox);
}

function describeSandbox({ sms, repeat }: SandboxStep): string {
  return `the sandbox's own ${sms === undefined ? "airtime" : "sms"}${times(repeat)}`;
}

function describeAdvance(by: Millis | "all"): string {
  return `advance ${by === "all" ? "to the end" : formatDuration(by)}`;
}

function times(repeat: number): string {
  return repeat === 1 ? "" : `, ${repeat} times`;
}

/** "at least 1 request", "2 requests". */
function requestsText(wanted: Comparison): string {
  const count = countText(wanted);
  return `${count} ${/^\D*1$/.test(count) ? "request" : "requests"}`;
}
