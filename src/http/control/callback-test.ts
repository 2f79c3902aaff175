import * as z from "zod";
import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import type { Operation } from "../../domain/settings.ts";
import type { Account } from "../../engine/account.ts";
import { ControlProblem } from "../../engine/control-problem.ts";
import { postCallback } from "../../engine/post-callback.ts";
import type { World } from "../../engine/world.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { outcomeShape } from "./attempt-json.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { sampleFor } from "./sample-for.ts";

export const testShape = z.object({
  url: z.string(),
  body: z.string().describe("The text that was sent."),
  outcome: outcomeShape,
  explanation: z.string(),
  acknowledged: z.boolean(),
  millis: z.number(),
});

export function callbackTestEndpoint(world: World, transport: CallbackTransport): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "post",
      path: "/accounts/{account}/callbacks/test",
      summary: "Send a sample callback about no transaction, and say what came back; the journal keeps nothing of it",
      query: NOTHING,
      body: z.strictObject({ operation: z.enum(["airtime", "sms"]) }),
      answers: { 200: { description: "What came of it", schema: testShape } },
    },
    ({ account, body, request }) => sendSample(account, body.operation, { transport, signal: request.signal }),
  );
}

async function sendSample(
  account: Account,
  operation: Operation,
  postage: { transport: CallbackTransport; signal: AbortSignal },
): Promise<z.output<typeof testShape>> {
  const { callbacks } = account.state.settings;
  const target = callbacks.urls[operation];
  if (target === undefined) throw new ControlProblem(409, `no callback URL registered for ${operation}`, "PUT callbacks first");
  const body = sampleFor(account, operation);
  const { outcome, millis } = await postCallback(target, { body, callbacks }, postage);
  const explanation = explainOutcome(outcome, { url: target.url, timeout: callbacks.timeout });
  return { url: target.url, body, outcome, explanation, acknowledged: isAcknowledged(outcome), millis };
}
