import { callApplication, excerpt, readJson, type Reply } from "../../application/ask.ts";
import { fill, placeholdersIn, type Values } from "../../application/placeholders.ts";
import { COUNTER } from "../rehearsal-schema.ts";
import type { RequestStep } from "../step-schema.ts";
import { repeatedly } from "../repeatedly.ts";
import { type RehearsalEnvironment, ApplicationUnreachable } from "../rehearsal-environment.ts";
import { type RunState, failedStep, type StepResult, DONE } from "./run-state.ts";

/**
 * Sends requests to the application and captures values from the last answer. Throws `ApplicationUnreachable` if the application has never
 * answered.
 */
export async function driveRequest(step: RequestStep, run: RunState): Promise<StepResult> {
  const { environment, values } = run;
  if (lacksValues(step, values)) return DONE;
  const replies = await repeatedly(step, environment, (count) => sendOne(step, count, run));
  const wrong = replies.flatMap((reply) => complain(reply, step.expect_status) ?? []);
  const [first] = wrong;
  if (first !== undefined)
    return failedStep(
      replies.length === 1 ? first : `${wrong.length} of ${replies.length} failed; the first: ${first}`,
    );
  const last = replies.at(-1);
  return last?.kind === "answered" ? capture(step, last.text, values) : DONE;
}

/** A request is skipped if it needs an optional value that no answer contained. */
function lacksValues({ url, headers, json, body }: RequestStep, values: Values): boolean {
  return placeholdersIn([url, headers, json, body]).some((name) => name !== COUNTER && !values.has(name));
}

async function sendOne(request: RequestStep, count: number, run: RunState): Promise<Reply> {
  const { environment, values } = run;
  const reply = await callApplication(request, environment, withCounter(values, count, request.repeat));
  noteReached(reply, { run, url: request.url, environment });
  return reply;
}

/** Pads the counter to the width of the last number, so that phone numbers keep their length. */
export function withCounter(values: Values, count: number, repeat: number): Values {
  return new Map([...values, [COUNTER, String(count).padStart(String(repeat).length, "0")]]);
}

/** An application that was never reachable was not rehearsed; one that becomes unreachable has failed. */
function noteReached(
  reply: Reply,
  { run, url, environment }: { run: RunState; url: string; environment: RehearsalEnvironment },
): void {
  if (reply.kind !== "silent" || reply.wasReached) {
    run.reached = true;
    return;
  }
  if (!run.reached) throw unreachable(fill(url, run.values), reply.reason, environment);
}

export function unreachable(
  url: string,
  reason: string,
  { application }: Pick<RehearsalEnvironment, "application">,
): ApplicationUnreachable {
  const repair =
    application === undefined
      ? "start the server at that address"
      : "start the application, or say where it is with --app";
  return new ApplicationUnreachable(`Nothing answers at ${url} (${reason}): ${repair}.`);
}

function complain(reply: Reply, wanted: RequestStep["expect_status"]): string | undefined {
  if (reply.kind !== "answered") return `no answer (${"reason" in reply ? reply.reason : reply.kind})`;
  if (wanted === "any") return undefined;
  const isWell = wanted === undefined ? reply.status >= 200 && reply.status < 300 : wanted.includes(reply.status);
  return isWell
    ? undefined
    : `answered ${reply.status}, not ${wanted === undefined ? "200 to 299" : wanted.join(" or ")}${excerpt(reply.text)}`;
}

function capture({ capture: captures }: RequestStep, text: string, values: Map<string, unknown>): StepResult {
  const json = readJson(text);
  const missing = Object.entries(captures).filter(([name, { json_path, optional }]) => {
    const value = json === undefined ? undefined : json_path.find(json.value)[0];
    if (value !== undefined) values.set(name, value);
    return value === undefined && !optional;
  });
  if (missing.length === 0) return DONE;
  if (json === undefined) return failedStep(`nothing can be captured, because the answer is not JSON${excerpt(text)}`);
  return failedStep(
    `the answer has no ${missing.map(([name, { json_path }]) => `${json_path.text} for {${name}}`).join(", ")}${excerpt(text)}`,
  );
}
