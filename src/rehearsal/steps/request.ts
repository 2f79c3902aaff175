import { callApplication } from "../ask.ts";
import { fill, type Values } from "../placeholders.ts";
import type { DriveStep, StatusWanted } from "../rehearsal.ts";
import { repeatedly } from "../repeatedly.ts";
import { excerpt, readJson, type Reply } from "../reply.ts";
import { type Stage, Unreachable } from "../stage.ts";
import { COUNTER } from "../unknown-placeholders.ts";
import { type Course, failedStep, type StepEnd, WELL } from "./step.ts";

type RequestStep = Extract<DriveStep, { kind: "request" }>;

/** Sends requests to the application and captures out of the last answer. Throws `Unreachable` where nobody ever answered. */
export async function driveRequest(step: RequestStep, course: Course): Promise<StepEnd> {
  const { stage, values } = course;
  const replies = await repeatedly(step, stage, (count) => sendOne(step, count, course));
  const wrong = replies.flatMap((reply) => complain(reply, step.expectStatus) ?? []);
  const [first] = wrong;
  if (first !== undefined)
    return failedStep(replies.length === 1 ? first : `${wrong.length} of ${replies.length} did not go well; the first: ${first}`);
  const last = replies.at(-1);
  return last?.kind === "answered" ? capture(step, last.text, values) : WELL;
}

async function sendOne({ ask, repeat }: RequestStep, count: number, course: Course): Promise<Reply> {
  const { stage, values } = course;
  const reply = await callApplication(ask, stage, withCounter(values, count, repeat));
  noteReached(reply, { course, url: ask.url, stage });
  return reply;
}

/** With as many digits as the last one has, so that phone numbers keep their length. */
export function withCounter(values: Values, count: number, repeat: number): Values {
  return new Map([...values, [COUNTER, String(count).padStart(String(repeat).length, "0")]]);
}

/** An application that was never there was not rehearsed; one that goes away has failed. */
function noteReached(reply: Reply, { course, url, stage }: { course: Course; url: string; stage: Stage }): void {
  if (reply.kind !== "silent" || reply.wasReached) {
    course.reached = true;
    return;
  }
  if (!course.reached) throw unreachable(fill(url, course.values), reply.reason, stage);
}

export function unreachable(url: string, reason: string, { application }: Pick<Stage, "application">): Unreachable {
  const repair = application === undefined ? "start what is to answer there" : "start the application, or say where it is with --app";
  return new Unreachable(`Nothing answers at ${url} (${reason}): ${repair}.`);
}

function complain(reply: Reply, wanted: StatusWanted): string | undefined {
  if (reply.kind !== "answered") return `no answer (${"reason" in reply ? reply.reason : reply.kind})`;
  if (wanted === "any") return undefined;
  const isWell = wanted === "2xx" ? reply.status >= 200 && reply.status < 300 : wanted.includes(reply.status);
  return isWell
    ? undefined
    : `answered ${reply.status}, not ${wanted === "2xx" ? "200 to 299" : wanted.join(" or ")}${excerpt(reply.text)}`;
}

function capture({ capture: captures }: RequestStep, text: string, values: Map<string, unknown>): StepEnd {
  const wanted = Object.entries(captures);
  if (wanted.length === 0) return WELL;
  const json = readJson(text);
  if (json === undefined) return failedStep(`nothing can be captured, because the answer is not JSON${excerpt(text)}`);
  const missing = wanted.filter(([name, path]) => {
    const [value] = path.find(json.value);
    if (value !== undefined) values.set(name, value);
    return value === undefined;
  });
  return missing.length === 0
    ? WELL
    : failedStep(`the answer has no ${missing.map(([name, { text: path }]) => `${path} for {${name}}`).join(", ")}${excerpt(text)}`);
}
