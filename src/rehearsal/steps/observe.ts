import type { Millis } from "../../domain/time.ts";
import { environmentOf } from "../ask.ts";
import { excerpt } from "../reply.ts";
import { type Course, failedStep, type StepEnd, WELL } from "./step.ts";

/** Watches what somebody else drives, until the time is over, the command ends, or it is interrupted: which ends this step, and nothing else. */
export async function observe(limit: Millis, course: Course): Promise<StepEnd> {
  const end = await watch(limit, course);
  if (course.stage.interruption.aborted) course.stage = { ...course.stage, interruption: new AbortController().signal };
  return end;
}

async function watch(limit: Millis, { stage, values }: Course): Promise<StepEnd> {
  const { meanwhile: command, shell, interruption } = stage;
  if (command === undefined) {
    await stage.pause(limit, interruption).catch((reason: unknown) => throwUnless(interruption.aborted, reason));
    return WELL;
  }
  const ended = await shell({ command, environment: environmentOf(stage, values), limit }, interruption);
  if (ended.kind === "cut short") return interruption.aborted ? WELL : failedStep(`the command ${ended.reason}`);
  return ended.code === 0 ? WELL : failedStep(`the command ended with ${ended.code}${excerpt(ended.complaint || ended.text)}`);
}

function throwUnless(isExpected: boolean, reason: unknown): void {
  if (!isExpected) throw reason;
}
