import { Hono } from "hono";
import * as z from "zod";
import { settingsInForce } from "../../gateway/account/state.ts";
import { diagnose, diagnosisShape } from "../doctor/diagnose.ts";
import { sampleCallback } from "../doctor/sample-callback.ts";
import { callbackUrlValue } from "../../gateway/settings/callbacks.ts";
import { SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import type { CallbackUrl } from "../../gateway/settings/callbacks.ts";
import { type Operation, PRODUCTS } from "../../gateway/domain/order.ts";
import { addProblem } from "../../gateway/document/values.ts";
import { available } from "../../gateway/domain/kes.ts";
import { requestIdOf } from "../../gateway/domain/request-id.ts";
import type { RunningAccount } from "../../gateway/engine/account.ts";
import { HttpProblem } from "../../control/problem.ts";
import { describeRoute } from "../../control/describe-route.ts";
import type { AccountEnv } from "../../control/env.ts";
import { validBody } from "../../control/validate.ts";

const doctorValue = z.strictObject({
  url: callbackUrlValue
    .superRefine(checkCallable)
    .describe("The URL to check. Default: the registered one. A public host needs the admin token or callback_allow.")
    .exactOptional(),
  operation: z.enum(PRODUCTS).describe('The operation of the sample. Default "airtime".').exactOptional(),
});

export const doctorCalls = new Hono<AccountEnv>().post(
  "/callbacks/doctor",
  describeRoute(
    "Find out why a callback would not arrive at a URL, from where the sandbox runs: sends a sample callback with an unknown request_id, and says how far it got",
    diagnosisShape,
  ),
  validBody(doctorValue),
  async (c) => {
    const { account, isTrusted, services } = c.var;
    const { url, operation = "airtime" } = c.req.valid("json");
    const { gateway, state } = account;
    const { callbacks } = settingsInForce(state);
    const target =
      url === undefined ? registered(account, operation) : { url, trusted: isTrusted || account.isOwnersUrl(url) };
    const at = account.now();
    // The journal does not record the sample, so the same one may be sent again.
    const label = `${state.seed}|sample callback ${operation}|${account.journal.version}`;
    const requestId = requestIdOf(account.moment(at).random.digest(label), gateway.request_id);
    const body = sampleCallback({ operation, requestId, at, gateway, available: available(state.wallet) });
    const sample = { operation, target, body, callbacks };
    return c.json(await diagnose(sample, { transport: services.transport, signal: c.req.raw.signal }));
  },
);

function checkCallable(url: string, context: z.RefinementCtx): void {
  if (url === SINK_URL)
    addProblem(context, {
      problem: `${SINK_URL} is inside the sandbox and always reachable`,
      repair: "write http:// or https:// and a host",
    });
}

function registered(account: RunningAccount, operation: Operation): CallbackUrl {
  const target = settingsInForce(account.state).callbacks.urls[operation];
  if (target === undefined)
    throw new HttpProblem(409, [
      `no callback URL registered for ${operation}`,
      "register one first (kredo callbacks URL), or pass a url",
    ]);
  return target;
}
