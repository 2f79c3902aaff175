import { fill } from "../placeholders.ts";
import type { DriveStep } from "../rehearsal.ts";
import { repeatedly } from "../repeatedly.ts";
import type { RehearsalEnvironment } from "../rehearsal-environment.ts";
import { withCounter } from "./request.ts";
import { type RunState, type StepResult, DONE } from "./run-state.ts";

type SandboxStep = Extract<DriveStep, { kind: "sandbox" }>;

/** Longer than any acknowledgment that a scenario delays. */
const LIMIT = 30_000;

/** Sends the sandbox's own orders; whether the gateway takes them is the scenario's business, and in the journal. */
export async function driveSandbox(step: SandboxStep, { environment, values }: RunState): Promise<StepResult> {
  await repeatedly(step, environment, async (count) => {
    const counted = withCounter(values, count, step.repeat);
    const fields = Object.entries(step.order.fields).map(([name, value]) => [name, fill(value, counted)]);
    await environment.call({
      method: "POST",
      url: `${environment.gateway.url}/api/v2/${step.order.operation}`,
      headers: { "content-type": "application/json", authorization: authorization(environment) },
      body: JSON.stringify(Object.fromEntries(fields)),
      limit: LIMIT,
    });
  });
  return DONE;
}

function authorization({ gateway }: RehearsalEnvironment): string {
  return `Basic ${Buffer.from(`${gateway.consumerKey}:${gateway.consumerSecret}`).toString("base64")}`;
}
