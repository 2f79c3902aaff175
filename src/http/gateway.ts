import type { RequestEvent } from "../account/events.ts";
import { Refused } from "../domain/refusal.ts";
import type { Account } from "../engine/account.ts";
import type { Decide } from "../engine/live-journal.ts";
import { recordDeparture } from "../engine/record-departure.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import { andThen, orElse } from "./at-once.ts";
import { authenticate, claimedAccount, type Doorkeeper, Unauthenticated } from "./authenticate.ts";
import { type Call, whenAnswered } from "./call.ts";
import { decideRequest, type GatewayRequest, recordRefusal } from "./decide-request.ts";
import { whenGone } from "./departure.ts";
import { findEndpoint } from "./endpoints.ts";
import { seeArrival } from "./manner.ts";
import { readBody } from "./read-body.ts";
import { type Answer, encodeAnswer, type Wire } from "./reply.ts";
import { respond, type Stage } from "./respond.ts";

export interface GatewayOptions extends Doorkeeper, Stage {
  /** The scenarios that one request may ask for. */
  readonly shipped: ScenarioLibrary;
  /** Writes down a fault that no client waits for. */
  readonly report: (fault: unknown) => void;
}

/** Answers one request of the gateway, from its path to its acknowledgment. */
export async function answerGateway(call: Call, options: GatewayOptions): Promise<Wire> {
  const exchange = beginExchange(call, options);
  const { request } = exchange;
  try {
    if (findEndpoint(request.method, request.path).method === "POST") request.body = await readBody(call);
  } catch (problem) {
    return answerProblem(problem, exchange);
  }
  return answerRead(exchange);
}

/** A request and what it is answered with. */
export interface Exchange {
  readonly call: Call;
  readonly request: GatewayRequest;
  readonly options: GatewayOptions;
}

/** To be asked as soon as the head of a request is there. */
export function beginExchange(call: Call, options: GatewayOptions): Exchange {
  const { method, path } = call.req;
  const arrival = seeArrival(call, options.world.sandbox.wall.now());
  return { call, request: { method, path, contentType: call.req.header("content-type"), arrival, body: NO_BODY }, options };
}

const NO_BODY = new Uint8Array();

/** Answers a request that has been read: at once, unless its account, its store or a scenario takes its time. */
export function answerRead(exchange: Exchange): Wire | Promise<Wire> {
  const { call, options } = exchange;
  return orElse(
    () => andThen(authenticate(call.req.header("authorization"), options), (account) => answerFor(account, exchange)),
    (problem) => answerProblem(problem, exchange),
  );
}

function answerFor(account: Account, exchange: Exchange): Wire | Promise<Wire> {
  const { call, request, options } = exchange;
  const asked = { endpoint: findEndpoint(request.method, request.path), request, shipped: options.shipped };
  const header = (name: string): string | undefined => call.req.header(name);
  const decided = account.run((state, at) => {
    const { events, answer } = decideRequest(state, account.moment(at, header), asked);
    return { events, answer, appended: () => holdCallbacks(call, account, answer.event) };
  });
  return andThen(decided, (answer) => acknowledge(answer, account, exchange));
}

function acknowledge(answer: Answer, account: Account, { call, request, options }: Exchange): Wire | Promise<Wire> {
  const departing = { requestId: answer.event.requestId, state: account.state, since: request.arrival.at };
  const waiting = whenGone(call, () => recordDeparture(account, departing, options));
  const staging = { stage: options, waiting, gateway: account.gateway };
  const secured = account.secured();
  if (secured === undefined && !goesBeforeAck(answer.event)) return respond(call, answer, staging);
  return acknowledgeLater(answer, account, { call, secured, staging });
}

interface Later {
  readonly call: Call;
  readonly secured: Promise<void> | undefined;
  readonly staging: Parameters<typeof respond>[2];
}

async function acknowledgeLater(answer: Answer, account: Account, { call, secured, staging }: Later): Promise<Wire> {
  await secured;
  if (goesBeforeAck(answer.event)) await account.deliverBeforeAck(answer.event.requestId);
  return respond(call, answer, staging);
}

/** What is answered to a request that was refused; any other problem is thrown again. */
export function answerProblem(problem: unknown, { call, request, options }: Exchange): Wire | Promise<Wire> {
  if (!(problem instanceof Refused)) throw problem;
  const account = accountOf(problem, call, options);
  const decide: Decide<Answer> = (state, at) => recordRefusal(state, problem, { request, moment: account.moment(at) });
  return andThen(account.run(decide), (answer) => {
    const wire = encodeAnswer(answer, account.gateway);
    return andThen(account.secured(), () => wire);
  });
}

/** Until the acknowledgment is out of the way; not where a scenario has the callback go before it. */
function holdCallbacks(call: Call, account: Account, event: RequestEvent): void {
  if (event.kind !== "accepted" || goesBeforeAck(event)) return;
  const { requestId } = event;
  account.holdCallbacks(requestId);
  whenAnswered(call, () => account.releaseCallbacks(requestId));
}

function goesBeforeAck(event: RequestEvent): boolean {
  return event.kind === "accepted" && event.plan.callback?.beforeAck === true && event.plan.settleAfter !== "never";
}

/** Whose journal a refusal goes to: the account whose key was named, or the sandbox's own. */
function accountOf(refused: Refused, call: Call, { world }: Doorkeeper): Account {
  const claimed = refused instanceof Unauthenticated ? refused.account : claimedAccount(call.req.header("authorization"), world);
  return claimed ?? world.sandbox;
}
