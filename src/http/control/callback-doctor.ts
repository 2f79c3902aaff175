import * as z from "zod";
import { callbackUrlValue } from "../../document/account-values.ts";
import { complain } from "../../document/values.ts";
import { examine } from "../../doctor/examine.ts";
import { type CallbackUrl, type Operation, SINK_URL } from "../../domain/settings.ts";
import type { Account } from "../../engine/account.ts";
import { ControlProblem } from "../../engine/control-problem.ts";
import type { World } from "../../engine/world.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { NetworkProbe } from "../../ports/network-probe.ts";
import { type AccountCall, accountEndpoint } from "./account-endpoint.ts";
import { diagnosisJson, diagnosisShape } from "./diagnosis-json.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { sampleFor } from "./sample-for.ts";

export interface DoctorsBag {
  readonly transport: CallbackTransport;
  readonly probe: NetworkProbe;
}

const doctorValue = z.strictObject({
  url: callbackUrlValue
    .superRefine(checkCallable)
    .describe("Where to; the registered URL if not said. A public host needs the admin token or callback_allow.")
    .exactOptional(),
  operation: z.enum(["airtime", "sms"]).describe('What the sample is about. Default "airtime".').exactOptional(),
});

type Asked = z.output<typeof doctorValue>;

export function callbackDoctorEndpoint(world: World, bag: DoctorsBag): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "post",
      path: "/accounts/{account}/callbacks/doctor",
      summary:
        "Say why a callback would not arrive at a URL, from where the sandbox runs: goes the way step by step, sends a sample under an unknown request_id, and asks with GET where POST is not taken",
      query: NOTHING,
      body: doctorValue,
      answers: { 200: { description: "What each check came to, with its repair", schema: diagnosisShape } },
    },
    (call) => consult(call, bag),
  );
}

function checkCallable(url: string, context: z.RefinementCtx): void {
  if (url === SINK_URL)
    complain(context, {
      problem: `${SINK_URL} is inside the sandbox, which always reaches it`,
      repair: "write http:// or https:// and a host",
    });
}

async function consult({ account, body: asked, isTrusted, request }: AccountCall<unknown, Asked>, bag: DoctorsBag): Promise<unknown> {
  const { operation = "airtime" } = asked;
  const { callbacks } = account.state.settings;
  const target =
    asked.url === undefined ? registered(account, operation) : { url: asked.url, trusted: isTrusted || isKnown(account, asked.url) };
  const body = sampleFor(account, operation);
  const observed = await examine({ target, body, callbacks }, { ...bag, signal: request.signal });
  return diagnosisJson(observed, { operation, body });
}

function registered(account: Account, operation: Operation): CallbackUrl {
  const target = account.state.settings.callbacks.urls[operation];
  if (target === undefined)
    throw new ControlProblem(409, `no callback URL registered for ${operation}`, "PUT callbacks first, or name a url");
  if (target.url === SINK_URL)
    throw new ControlProblem(409, `callbacks for ${operation} go to ${SINK_URL}, which is inside the sandbox`, "name a url");
  return target;
}

/** A URL that callbacks go to as a trusted one, or may be put back to, is the owner's already. */
function isKnown(account: Account, url: string): boolean {
  const urls = Object.values(account.state.settings.callbacks.urls);
  return account.isOwnersUrl(url) || urls.some((target) => target.trusted && target.url === url);
}
