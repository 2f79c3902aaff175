import type { DecisionContext } from "../account/decide/apply-rules.ts";
import { type CheckedRequest, recordRequest, recordRefusal } from "../account/decide/record-request.ts";
import type { AccountState } from "../account/state.ts";
import type { OrderWithForms } from "../contract/order.ts";
import { type Endpoint, ENDPOINTS, GATEWAY_PATHS } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import { type AuthDependencies, claimedKey } from "./authenticate.ts";
import { type Bindings, type ReceivedRequest, whenResponseEnds } from "./bindings.ts";
import type { ExchangeLog } from "./exchanges.ts";
import { responseTo, toResponse } from "./reply.ts";
import { untilSecured } from "./without-reading.ts";

interface RefusalDependencies extends Pick<AuthDependencies, "world" | "expectNotElsewhere"> {
  readonly exchanges: ExchangeLog;
}

/** Journals a refusal and returns its response: for the account whose key the request names, otherwise for the sandbox. */
export async function answerRefused(
  env: Bindings,
  problem: Refused,
  { world, exchanges, expectNotElsewhere }: RefusalDependencies,
): Promise<Response> {
  const { received } = env;
  if (received === undefined) throw problem;
  const key = claimedKey(received.authorization);
  if (key !== undefined && world.find(key) === undefined) await expectNotElsewhere?.(key);
  const claimed = key === undefined ? undefined : world.find(key);
  const account = claimed ?? world.sandbox;
  const request = claimed === undefined && key !== undefined ? { ...received, unknownKey: key } : received;
  const decided = account.journal.run((state, at) =>
    recordRequest(state, request, refuseRequest(state, problem, request, account.moment(at))),
  );
  const wire = responseTo(decided, account);
  const exchange = exchanges.begin(account, decided.event.requestId, request, wire);
  whenResponseEnds(env, (ended) => exchange.end(ended));
  await untilSecured(env, account);
  return toResponse(wire);
}

/** Refuses a request, with as much of it as was read. */
export function refuseRequest(
  state: AccountState,
  refused: Refused,
  request: ReceivedRequest,
  moment: DecisionContext,
  read?: OrderWithForms,
): CheckedRequest {
  const { method, path, unknownKey } = request;
  const body = Buffer.from(request.body).toString("utf8");
  const call = { method, path, body, operation: operationAt(path), unknownKey, order: read?.order };
  return {
    event: recordRefusal(state, refused, call, moment),
    lenient: read?.lenient,
    headers: refused.details.headers,
  };
}

/** Throws `Refused` for a request that matches no endpoint: 405 if another method would, otherwise 404 with the path probably meant. */
export function refusePath(path: string): never {
  const operation = operationAt(path);
  if (operation === undefined)
    throw new Refused(404, { description: `Not found: ${named(path)}.`, hint: notFoundHint(path) });
  const method = operation === "account-details" ? "GET" : "POST";
  throw new Refused(405, { headers: { allow: allowedAt(path) }, hint: `${path} accepts only ${method}` });
}

/** The most characters of a path that a description names. */
const LONGEST_PATH = 200;

/** An SDK may show nothing but the description of a wrong base URL. */
function named(path: string): string {
  return path.slice(0, LONGEST_PATH).replace(/[^\x20-\x7e]+/g, "?");
}

/** Returns the methods that an endpoint accepts, for an Allow header. */
export function allowedAt(path: string): string {
  return path === GATEWAY_PATHS["account-details"] ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
}

function operationAt(path: string): Endpoint | undefined {
  return ENDPOINTS.find((endpoint) => GATEWAY_PATHS[endpoint] === path);
}

function notFoundHint(path: string): string {
  const known = Object.values(GATEWAY_PATHS);
  const near = known.find((one) => path.replace(/\/+$/, "").toLowerCase().endsWith(one.slice("/api/v2".length)));
  return near === undefined ? `the paths are ${known.join(", ")}` : `did you mean ${near}?`;
}
