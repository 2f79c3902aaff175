import type { Context, Hono, MiddlewareHandler } from "hono";
import { Refused } from "../domain/refusal.ts";
import type { Operation } from "../domain/order.ts";
import type { Account } from "../engine/account.ts";
import { recordDisconnect, onDisconnect } from "./client-disconnect.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import type { TurnEnd } from "../ports/pause.ts";
import { authenticate, type AuthDependencies, claimedKey, hasCredentials } from "./authenticate.ts";
import { type Bindings, isPlainSocket, whenAnswered } from "./bindings.ts";
import { decideRequest, type GatewayRequest, recordRefusal } from "./decide-request.ts";
import { ENDPOINTS, methodNotAllowed, unknownPath } from "./endpoints.ts";
import { readBody } from "./read-body.ts";
import type { ExchangeLog } from "./exchanges.ts";
import { type Answer, encodeAnswer, goesBeforeAck, type Wire } from "./reply.ts";
import { seeArrival } from "./request-traits.ts";
import { respond, type ResponseTiming } from "./respond.ts";

export interface GatewayOptions extends AuthDependencies, ResponseTiming {
  /** The scenarios that one request may ask for. */
  readonly shipped: ScenarioLibrary;
  readonly turnEnd: TurnEnd;
  readonly exchanges: ExchangeLog;
  /** Writes a fault down and names the report. */
  readonly report: (fault: unknown) => string;
}

export type GatewayEnv = { Bindings: Bindings; Variables: { request: GatewayRequest; account: Account } };

/** Routes the gateway's endpoints, and refuses whatever no other route takes. */
export function routeGateway(app: Hono<GatewayEnv>, options: GatewayOptions): void {
  app.use(receive(options));
  for (const [path, endpoint] of ENDPOINTS) {
    const { operation, method, allow } = endpoint;
    app.on(method, path, authenticated(options), (c) => answer(c, operation, options));
    app.options(path, (c) => c.body(null, 204, { allow }));
    app.all(path, keepBody, () => methodNotAllowed(endpoint, path));
  }
  app.all("*", keepBody, ({ req }) => unknownPath(req.path));
}

/** Reads the beginning of a body that no endpoint takes, so that its sender can look back at it. */
const keepBody: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  try {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") c.var.request.body = await readBody(c.env, () => false);
  } catch (problem) {
    // One that is too large is none the less a request for what is not there.
    if (!(problem instanceof Refused)) throw problem;
  }
  await next();
};

/** Notes how a request came, as soon as its head is there. */
function receive({ world }: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    const arrival = seeArrival(c.req, c.env, world.sandbox.wall.now());
    c.set("request", { method, path, contentType: c.req.header("content-type"), arrival, body: new Uint8Array() });
    await next();
  };
}

/**
 * Reads the body and finds the account. The requests of one turn of the event loop go on together, which costs a third less for each:
 * code and memory stay at hand. Over TLS each goes on at once: the handshake's end, a request and the client's end of the connection
 * can arrive in one turn. A scripted reset must leave along with the first, and an answer before Node closes in reply to the last.
 */
function authenticated(options: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const { request } = c.var;
    const authorization = c.req.header("authorization");
    if (request.method === "POST") request.body = await readBody(c.env, () => hasCredentials(authorization, options));
    if (isPlainSocket(c.env)) await options.turnEnd();
    c.set("account", await authenticate(authorization, options));
    await next();
  };
}

/** Decides on a request, makes the decision safe, and acknowledges it or breaks the connection as scripted. */
async function answer(c: Context<GatewayEnv>, operation: Operation | "account-details", options: GatewayOptions): Promise<Response> {
  const { account, request } = c.var;
  const asked = { operation, request, shipped: options.shipped };
  const header = (name: string): string | undefined => c.req.header(name);
  const decided = account.run((state, at) => decideRequest(state, account.moment(at, header), asked));
  holdCallbacks(c.env, account, decided);
  const { requestId } = decided.event;
  const departing = { requestId, state: account.state, since: request.arrival.at };
  const client = onDisconnect(c.env, () => recordDisconnect(account, departing, options));
  const wire = encode(c, account, decided, options);
  await account.secured();
  if (goesBeforeAck(decided.event)) await account.deliverBeforeAck(requestId);
  return toResponse(await respond(c.env, wire, { event: decided.event, timing: options, client }));
}

/** The answer for the wire; the exchange is noted with it. */
function encode({ env, var: { request } }: Context<GatewayEnv>, account: Account, answer: Answer, { exchanges }: GatewayOptions): Wire {
  const wire = encodeAnswer(answer, account.gateway);
  const key = { account: account.consumerKey, requestId: answer.event.requestId };
  exchanges.note(env, request, { key, wire, now: () => account.wall.now() });
  return wire;
}

/** Callbacks wait for the acknowledgment, unless a scenario has them go before it. */
function holdCallbacks(bindings: Bindings, account: Account, { event }: Answer): void {
  if (event.kind !== "accepted" || goesBeforeAck(event)) return;
  account.holdCallbacks(event.requestId);
  whenAnswered(bindings, () => account.releaseCallbacks(event.requestId));
}

/** Journals a refusal and answers it, for the account whose key was named, or else for the sandbox. */
export async function refuse(c: Context<GatewayEnv>, problem: Refused, options: GatewayOptions): Promise<Response> {
  const { world } = options;
  const key = claimedKey(c.req.header("authorization"));
  const claimed = key === undefined ? undefined : world.find(key);
  const account = claimed ?? world.sandbox;
  const request = claimed === undefined && key !== undefined ? { ...c.var.request, unknownKey: key } : c.var.request;
  const refused = account.run((state, at) => recordRefusal(state, problem, { request, moment: account.moment(at) }));
  const wire = encode(c, account, refused, options);
  await account.secured();
  return toResponse(wire);
}

function toResponse({ status, headers, body }: Wire): Response {
  return new Response(body, { status, headers });
}
