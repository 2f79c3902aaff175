import { fill } from "../../application/placeholders.ts";
import { GATEWAY_PATHS } from "../../../gateway/domain/order.ts";
import { repeatedly } from "../repeatedly.ts";
import type { RehearsalEnvironment } from "../rehearsal-environment.ts";
import { withCounter } from "./request.ts";
import type { SandboxStep } from "../step-schema.ts";
import type { RunState } from "./run-state.ts";

/** Longer than any acknowledgment that a scenario delays. */
const LIMIT = 30_000;

/** Sends the sandbox's own orders. Whether the gateway accepts them depends on the scenario and is recorded in the journal. */
export async function driveSandbox(step: SandboxStep, { environment, values }: RunState): Promise<void> {
  const [operation, order] =
    step.sms === undefined ? (["airtime", step.airtime] as const) : (["sms", step.sms] as const);
  await repeatedly(step, environment, async (count) => {
    const counted = withCounter(values, count, step.repeat);
    const fields = Object.entries({ ...order }).map(([name, value]) => [name, fill(value, counted)]);
    await environment.call({
      method: "POST",
      url: `${environment.gateway.url}${GATEWAY_PATHS[operation]}`,
      headers: { "content-type": "application/json", authorization: authorization(environment) },
      body: JSON.stringify(Object.fromEntries(fields)),
      limit: LIMIT,
    });
  });
}

function authorization({ gateway }: RehearsalEnvironment): string {
  return `Basic ${Buffer.from(`${gateway.consumerKey}:${gateway.consumerSecret}`).toString("base64")}`;
}
