import { fill } from "../placeholders.ts";
import type { DriveStep } from "../rehearsal.ts";
import { repeatedly } from "../repeatedly.ts";
import type { Stage } from "../stage.ts";
import { withCounter } from "./request.ts";
import { type Course, type StepEnd, WELL } from "./step.ts";

type SandboxStep = Extract<DriveStep, { kind: "sandbox" }>;

/** Longer than any acknowledgment that a scenario delays. */
const LIMIT = 30_000;

/** Sends the sandbox's own orders; whether the gateway takes them is the scenario's business, and in the journal. */
export async function driveSandbox(step: SandboxStep, { stage, values }: Course): Promise<StepEnd> {
  await repeatedly(step, stage, async (count) => {
    const counted = withCounter(values, count, step.repeat);
    const fields = Object.entries(step.order.fields).map(([name, value]) => [name, fill(value, counted)]);
    await stage.call({
      method: "POST",
      url: `${stage.gateway.url}/api/v2/${step.order.operation}`,
      headers: { "content-type": "application/json", authorization: authorization(stage) },
      body: JSON.stringify(Object.fromEntries(fields)),
      limit: LIMIT,
    });
  });
  return WELL;
}

function authorization({ gateway }: Stage): string {
  return `Basic ${Buffer.from(`${gateway.consumerKey}:${gateway.consumerSecret}`).toString("base64")}`;
}
