import type { Context, Hono, MiddlewareHandler } from "hono";
import type { RequestEvent } from "../account/events.ts";
import type { Operation } from "../domain/order.ts";
import type { Account } from "../engine/account.ts";
import { NotTheOwner, StoreOutage } from "../ports/journal-store.ts";
import { recordWait } from "./client-disconnect.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import type { TurnEnd } from "../ports/pause.ts";
import { authenticate, type AuthDependencies, hasCredentials } from "./authenticate.ts";
import { comesWithOthers, type Script, whenAnswered, type WaitingClient } from "./bindings.ts";
import { decideRequest } from "./decide-request.ts";
import { ENDPOINTS, methodNotAllowed, unknownPath } from "./endpoints.ts";
import type { ExchangeLog } from "./exchanges.ts";
import { type GatewayEnv, receiveRequest } from "./gateway-request.ts";
import { readBody, readBodyOfRefused } from "./read-body.ts";
import { encodeAnswer, goesBeforeAck, toResponse } from "./reply.ts";
import { respond, type ResponseTiming, scriptOf } from "./respond.ts";

export interface GatewayOptions extends AuthDependencies, ResponseTiming {
  /** The shipped scenarios that a request may select. */
  readonly shipped: ScenarioLibrary;
  readonly turnEnd: TurnEnd;
  readonly exchanges: ExchangeLog;
  /** Forwards requests to the replicas that own their accounts, if there are several. */
  readonly forward?: MiddlewareHandler<GatewayEnv>;
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
}

/** Routes the gateway's endpoints, and refuses everything that no other route matches. */
export function routeGateway(app: Hono<GatewayEnv>, options: GatewayOptions): void {
  if (options.forward !== undefined) app.use(options.forward);
  const unclaimed = readUnclaimed(options);
  for (const [path, endpoint] of ENDPOINTS) {
    const { operation, method, allow } = endpoint;
    app.on(method, path, authenticated(options), (c) => answer(c, operation, options));
    app.options(path, (c) => c.body(null, 204, { allow }));
    app.all(path, unclaimed, () => methodNotAllowed(endpoint, path));
  }
  app.all("*", unclaimed, ({ req }) => unknownPath(req.path));
}

/** Reads the beginning of a request that matches no endpoint, so that it can be inspected later. */
function readUnclaimed({ world }: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const request = receiveRequest(c, world.wall.now());
    if (request.method !== "GET" && request.method !== "HEAD") request.body = await readBodyOfRefused(c.env);
    await next();
  };
}

/**
 * Reads the request and finds its account. The requests of one turn of the event loop continue together, which costs a third less per
 * request, because code and data stay in the CPU's caches. Over TLS, each continues at once: the end of the handshake, a request and the
 * client's close can arrive in one turn. A scripted reset must then leave with the first, and a response before Node closes in reply to the
 * last.
 */
function authenticated(options: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const request = receiveRequest(c, options.world.wall.now());
    const authorization = c.req.header("authorization");
    if (request.method === "POST") request.body = await readBody(c.env, () => hasCredentials(authorization, options));
    if (comesWithOthers(c.env)) await options.turnEnd();
    c.set("account", await authenticate(authorization, options));
    await next();
  };
}

/** Decides on a request, makes the decision durable, then acknowledges it or breaks the connection as scripted. */
async function answer(
  c: Context<GatewayEnv>,
  operation: Operation | "account-details",
  options: GatewayOptions,
): Promise<Response> {
  const [account, request] = [c.get("account"), c.get("request")];
  const asked = { operation, request, shipped: options.shipped };
  const header = (name: string): string | undefined => c.req.header(name);
  const decided = account.run((state, at) => decideRequest(state, account.moment(at, header), asked));
  const { event } = decided;
  const { requestId } = event;
  const wire = encodeAnswer(decided, account.gateway);
  const exchange = options.exchanges.note({ account: account.consumerKey, requestId, request, wire });

  const isBeforeAck = goesBeforeAck(event);
  if (event.kind === "accepted" && !isBeforeAck) account.holdCallbacks(requestId);
  const waiting = { account, requestId, state: account.state, since: request.receivedAt };
  const client: WaitingClient = {
    isLeftAlone: false,
    onEndlessWait: () => recordWait("client-waits", waiting, options),
  };
  whenAnswered(c.env, (ended) => {
    account.releaseCallbacks(requestId);
    exchange.end(ended, account.wall.now());
    if (ended.end === "broken" && !client.isLeftAlone && !ended.isLeftAlone)
      recordWait("client-left", waiting, options);
  });

  const isSafe = await isSecured(account, event, options);
  if (isBeforeAck && isSafe) await deliverBeforeAck(account, requestId);
  const script = isSafe ? scriptOf(event) : RESET;
  return toResponse(await respond(c.env, wire, { script, timing: options, client }));
}

/**
 * Resolves to false if the order is accepted, and the store can tell neither that this is safe nor that it is not. Its client must not get
 * 503, because it would order again.
 */
async function isSecured(account: Account, event: RequestEvent, { report }: GatewayOptions): Promise<boolean> {
  try {
    await account.secured();
    return true;
  } catch (problem) {
    if (event.kind !== "accepted" || !(problem instanceof StoreOutage)) throw problem;
    report(problem);
    return false;
  }
}

/** The connection of a client that cannot be told whether its order will be carried out. */
const RESET: Script = { delay: 0, breakage: "reset", isAccepted: true };

/** Whatever goes wrong here, the order is accepted. Its callback is sent later, perhaps by another replica. */
async function deliverBeforeAck(account: Account, requestId: string): Promise<void> {
  try {
    await account.deliverBeforeAck(requestId);
  } catch (problem) {
    if (!(problem instanceof StoreOutage || problem instanceof NotTheOwner)) throw problem;
  }
}
