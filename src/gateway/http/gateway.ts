import type { Context, Hono } from "hono";
import { playScenario, type DecisionContext } from "../account/decide/apply-rules.ts";
import { queryDetails, sell } from "../account/decide/sell.ts";
import { checkRateLimit } from "../account/rate-limit.ts";
import { type CheckedRequest, recordRequest } from "../account/decide/record-request.ts";
import { type AccountState, isRegistered } from "../account/state.ts";
import type { RunningAccount } from "../engine/account.ts";
import type { Organization } from "../settings/account-settings.ts";
import { readOrder, type OrderWithForms } from "../contract/order.ts";
import { type Endpoint, GATEWAY_PATHS, PRODUCTS } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import type { ScenarioLibrary } from "../scenario/scenario-library.ts";
import { Capacity, type CapacityOptions } from "./capacity.ts";
import { authenticate, type AuthDependencies, hasCredentials, openUnknownAccount } from "./authenticate.ts";
import { type GatewayEnv, type ReceivedRequest, whenResponseEnds } from "./bindings.ts";
import { readBodyOfRefused } from "./body.ts";
import type { ExchangeLog } from "./exchanges.ts";
import { allowedAt, refuseRequest, refusePath } from "./answer-refused.ts";
import { receive, receiveHead } from "./received-request.ts";
import { goesBeforeAck, responseTo, toResponse } from "./reply.ts";
import { playScript, type ResponseTiming, securedScript } from "./respond.ts";
import { withoutReading } from "./without-reading.ts";

export interface GatewayDependencies extends AuthDependencies, CapacityOptions, ResponseTiming {
  /** The shipped scenarios that a request may select. */
  readonly shipped: ScenarioLibrary;
  readonly exchanges: ExchangeLog;
  /** Returns what account-details say of an account's customer. */
  readonly organizationOf: (account: RunningAccount) => Promise<Organization>;
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
}

interface Gateway extends GatewayDependencies {
  readonly capacity: Capacity;
}

/** Routes the gateway's endpoints (document 4), and refuses everything that no other route matches. */
export function routeGateway(app: Hono<GatewayEnv>, options: GatewayDependencies): void {
  const gateway = { ...options, capacity: new Capacity(options) };
  for (const product of PRODUCTS) app.post(GATEWAY_PATHS[product], (c) => answer(c, product, gateway));
  app.get(GATEWAY_PATHS["account-details"], (c) => answer(c, "account-details", gateway));
  app.on("OPTIONS", Object.values(GATEWAY_PATHS), (c) => c.body(null, 204, { allow: allowedAt(c.req.path) }));
  app.notFound(async (c) => {
    const request = receiveHead(c, options.world.wall.now());
    if (request.method !== "GET" && request.method !== "HEAD") request.body = await readBodyOfRefused(c.env);
    return refusePath(request.path);
  });
}

/** Answers a request: the whole story, in order. Its callbacks may leave once the acknowledgment has left, or its client. */
async function answer(c: Context<GatewayEnv>, operation: Endpoint, gateway: Gateway): Promise<Response> {
  const { world, capacity, exchanges, report } = gateway;
  const request = await receive(c, world.wall.now(), (authorization) => hasCredentials(authorization, gateway));
  const { authorization } = request;
  const account =
    authenticate(authorization, gateway) ?? (await withoutReading(c.env, openUnknownAccount(authorization, gateway)));
  if (operation !== "account-details" && !capacity.hasRoom()) await capacity.awaitRoom(account, c.env);

  const organization =
    operation === "account-details" ? await withoutReading(c.env, gateway.organizationOf(account)) : undefined;

  const decided = account.journal.run((state, at) => {
    const decision = decideRequest(state, account.moment(at), operation, request, gateway.shipped);
    return recordRequest(state, request, decision);
  });
  const { event } = decided;
  const wire = responseTo(decided, account, organization);

  if (event.kind === "accepted" && !goesBeforeAck(event)) account.holdCallbacks(event);
  const exchange = exchanges.begin(account, event.requestId, request, wire);
  whenResponseEnds(c.env, (ended) => {
    account.releaseCallbacks(event);
    exchange.endDecided(ended);
  });

  const script = await securedScript(c.env, account, event, report);
  return toResponse(script === undefined ? wire : await playScript(c.env, wire, script, gateway, exchange));
}

/** Checks the rate limit, content and validation, and sells: one decision on one state, so that its events are appended together. */
function decideRequest(
  state: AccountState,
  moment: DecisionContext,
  operation: Endpoint,
  request: ReceivedRequest,
  shipped: ScenarioLibrary,
): CheckedRequest {
  let read: OrderWithForms | undefined;
  try {
    checkRateLimit(state, moment.at);
    const played = playScenario(state, moment, request.scenario, shipped);
    if (operation === "account-details") return { event: queryDetails(state, played) };
    read = readOrder(operation, request, moment.gateway, (senderId) => isRegistered(state, senderId));
    return { event: sell(state, read, played), lenient: read.lenient };
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return refuseRequest(state, problem, request, moment, read);
  }
}
