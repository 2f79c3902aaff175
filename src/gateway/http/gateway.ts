import type { Context, Hono, MiddlewareHandler } from "hono";
import { playScenario, type Moment } from "../account/decide/apply-rules.ts";
import { queryDetails, sell } from "../account/decide/sell.ts";
import { isRegistered } from "../account/outages.ts";
import { checkRateLimit } from "../account/rate-limit.ts";
import { type DecidedRequest, recordRequest } from "../account/decide/record-request.ts";
import type { AccountState } from "../account/state.ts";
import { readOrder, type ReadOrder } from "../contract/order.ts";
import { GATEWAY_PATHS, type Operation } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import type { Decision } from "../engine/live-journal.ts";
import type { ScenarioLibrary } from "../scenario/scenario-library.ts";
import { Capacity, type CapacityOptions } from "./capacity.ts";
import { authenticate, type AuthDependencies, hasCredentials, openAccount } from "./authenticate.ts";
import {
  comesWithOthers,
  type GatewayEnv,
  readBody,
  readBodyOfRefused,
  type ReceivedRequest,
  receiveRequest,
} from "./connection.ts";
import { Exchange, type ExchangeLog, followExchange } from "./exchanges.ts";
import { allowedAt, recordRefusal, refusePath } from "./answer-refused.ts";
import { encodeAnswer, goesBeforeAck, toResponse } from "./reply.ts";
import { respond, securedScript } from "./respond.ts";
import { turnEnd } from "./turn-end.ts";

export interface GatewayDependencies extends AuthDependencies, CapacityOptions {
  /** The shipped scenarios that a request may select. */
  readonly shipped: ScenarioLibrary;
  readonly exchanges: ExchangeLog;
  /** Forward requests to the replicas that own their accounts, and answer what other replicas forward. */
  readonly forward?: readonly MiddlewareHandler<GatewayEnv>[];
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
}

/** Routes the gateway's endpoints (document 4), and refuses everything that no other route matches. */
export function routeGateway(app: Hono<GatewayEnv>, options: GatewayDependencies): void {
  const capacity = new Capacity(options);
  for (const forward of options.forward ?? []) app.use(forward);
  app.post(GATEWAY_PATHS.airtime, (c) => answer(c, "airtime", options, capacity));
  app.post(GATEWAY_PATHS.sms, (c) => answer(c, "sms", options, capacity));
  app.get(GATEWAY_PATHS["account-details"], (c) => answer(c, "account-details", options, capacity));
  app.on("OPTIONS", Object.values(GATEWAY_PATHS), (c) => c.body(null, 204, { allow: allowedAt(c.req.path) }));
  app.notFound(async (c) => {
    const request = receiveRequest(c, options.world.wall.now());
    if (request.method !== "GET" && request.method !== "HEAD") request.body = await readBodyOfRefused(c.env);
    return refusePath(request.path);
  });
}

/**
 * Answers a request: reads it, finds its account, decides, makes the decision durable, then acknowledges it or breaks the connection as
 * scripted.
 */
async function answer(
  c: Context<GatewayEnv>,
  operation: Operation | "account-details",
  options: GatewayDependencies,
  capacity: Capacity,
): Promise<Response> {
  const { env } = c;
  const request = receiveRequest(c, options.world.wall.now());
  const { authorization } = request;
  if (request.method === "POST") request.body = await readBody(env, () => hasCredentials(authorization, options));
  if (comesWithOthers(env)) await turnEnd();
  const account = authenticate(authorization, options) ?? (await openAccount(authorization, options));

  if (operation !== "account-details" && !capacity.hasRoom()) await capacity.awaitRoom(account, env);
  const decided = account.run((state, at) =>
    decideRequest(state, account.moment(at), operation, request, options.shipped),
  );
  const { event } = decided;
  const wire = encodeAnswer(decided, account.gateway);

  if (event.kind === "accepted" && !goesBeforeAck(event)) account.holdCallbacks(event);
  const client = followExchange(env, new Exchange(account, event.requestId, request, wire, options));

  const script = await securedScript(account, event, options.report);
  return toResponse(script === undefined ? wire : await respond(env, wire, script, options, client));
}

/** Checks the rate limit, content and validation, and sells: one decision on one state, so that its events are appended together. */
function decideRequest(
  state: AccountState,
  moment: Moment,
  operation: Operation | "account-details",
  request: ReceivedRequest,
  shipped: ScenarioLibrary,
): Decision<DecidedRequest> {
  let read: ReadOrder | undefined;
  try {
    checkRateLimit(state, moment.at);
    const played = playScenario(state, moment, request.scenario, shipped);
    if (operation === "account-details") return recordRequest(state, queryDetails(state, played), request);
    read = readOrder(operation, request, moment.gateway, (senderId) => isRegistered(state, senderId));
    return recordRequest(state, sell(state, read, played), request, read.loose);
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return recordRefusal(state, problem, request, moment, read);
  }
}
