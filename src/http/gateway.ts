import { queryDetails } from "../account/decide/query.ts";
import { refuse, type RefusedCall } from "../account/decide/refuse.ts";
import { type Moment, sell } from "../account/decide/sell.ts";
import type { RequestEvent } from "../account/events.ts";
import { isRegistered } from "../account/outages.ts";
import { checkRateLimit } from "../account/rate-limit.ts";
import type { AccountState } from "../account/state.ts";
import { readAirtimeOrder } from "../contract/airtime.ts";
import { readJsonObject } from "../contract/json-body.ts";
import { looseFields } from "../contract/loose-fields.ts";
import { readSmsOrder } from "../contract/sms.ts";
import type { Order } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import type { Account } from "../engine/account.ts";
import type { Decide, Decision } from "../engine/live-journal.ts";
import { recordDeparture } from "../engine/record-departure.ts";
import type { World } from "../engine/world.ts";
import { authenticate, claimedAccount, type Doorkeeper, Unauthenticated } from "./authenticate.ts";
import { type Call, whenAnswered } from "./call.ts";
import { checkContentType } from "./content-type.ts";
import { whenGone } from "./departure.ts";
import { type Endpoint, endpointAt, findEndpoint } from "./endpoints.ts";
import { type Arrival, seeArrival, withManner } from "./manner.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import { playScenario } from "./play-scenario.ts";
import { readBody } from "./read-body.ts";
import { type Answer, encodeAnswer, type Wire } from "./reply.ts";
import { respond, type Stage } from "./respond.ts";

export interface GatewayOptions extends Doorkeeper, Stage {
  /** The scenarios that one request may ask for. */
  readonly shipped: ScenarioLibrary;
  /** Writes down a fault that no client waits for. */
  readonly report: (fault: unknown) => void;
}

/** A request as far as it has been read. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly arrival: Arrival;
  body: Uint8Array;
}

/** Answers one request of the gateway, from its path to its acknowledgment. */
export async function answerGateway(call: Call, options: GatewayOptions): Promise<Wire> {
  const request = begin(call, options.world);
  try {
    const endpoint = findEndpoint(request.method, request.path);
    if (endpoint.method === "POST") request.body = await readBody(call);
    const known = authenticate(call.req.header("authorization"), options);
    // A turn of the microtasks costs more than to ask whether there is anything to wait for.
    const account = known instanceof Promise ? await known : known;
    const asked = { endpoint, request, shipped: options.shipped };
    const header = (name: string): string | undefined => call.req.header(name);
    const decided = account.run((state, at) => {
      const { events, answer } = decideRequest(state, account.moment(at, header), asked);
      return { events, answer, appended: () => holdCallbacks(call, account, answer.event) };
    });
    const answer = decided instanceof Promise ? await decided : decided;
    const departing = { requestId: answer.event.requestId, state: account.state, since: request.arrival.at };
    const waiting = whenGone(call, () => recordDeparture(account, departing, options));
    const secured = account.secured();
    if (secured !== undefined) await secured;
    if (goesBeforeAck(answer.event)) await account.deliverBeforeAck(answer.event.requestId);
    const wire = respond(call, answer, { stage: options, waiting, gateway: account.gateway });
    return wire instanceof Promise ? await wire : wire;
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    const account = accountOf(problem, call, options);
    const decide: Decide<Answer> = (state, at) => recordRefusal(state, problem, { request, moment: account.moment(at) });
    return encodeAnswer(await account.runSafely(decide), account.gateway);
  }
}

function begin(call: Call, { sandbox }: World): Request {
  const { method, path } = call.req;
  return { method, path, contentType: call.req.header("content-type"), arrival: seeArrival(call, sandbox.wall.now()), body: NO_BODY };
}

const NO_BODY = new Uint8Array();

interface Asked {
  readonly endpoint: Endpoint;
  readonly request: Request;
  readonly shipped: ScenarioLibrary;
}

/** Rate limit, content, validation, and the sale: decided together on one state, so that they are appended together. */
function decideRequest(state: AccountState, moment: Moment, { endpoint, request, shipped }: Asked): Decision<Answer> {
  const { arrival } = request;
  let read: ReadOrder | undefined;
  try {
    checkRateLimit(state, moment.at);
    const played = playScenario(state, moment, shipped);
    if (endpoint.operation === "account-details") return record(state, queryDetails(state, played), { arrival });
    read = readOrder(state, moment, { operation: endpoint.operation, request });
    return record(state, sell(state, read.order, played), { arrival, loose: read.loose });
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return recordRefusal(state, problem, { request, moment, ...(read && { read }) });
  }
}

/** An order, and the fields of it that only a lenient setting takes. */
interface ReadOrder {
  readonly order: Order;
  readonly loose: readonly string[];
}

function readOrder(
  state: AccountState,
  { gateway }: Moment,
  { operation, request }: { operation: Order["operation"]; request: Request },
): ReadOrder {
  checkContentType(request.contentType);
  const fields = readJsonObject(request.body);
  const order =
    operation === "airtime"
      ? readAirtimeOrder(fields, gateway)
      : readSmsOrder(fields, gateway, (senderId) => isRegistered(state, senderId));
  return { order, loose: looseFields(fields, order) };
}

function recordRefusal(
  state: AccountState,
  refused: Refused,
  { request, moment, read }: { request: Request; moment: Moment; read?: ReadOrder },
): Decision<Answer> {
  const operation = endpointAt(request.path)?.operation;
  const call: RefusedCall = {
    method: request.method,
    path: request.path,
    body: Buffer.from(request.body).toString("utf8"),
    ...(operation === undefined ? {} : { operation }),
    ...(read && { order: read.order }),
  };
  const { headers } = refused.details;
  const { arrival } = request;
  return record(state, refuse(state, refused, { call, moment }), {
    arrival,
    ...(read && { loose: read.loose }),
    ...(headers && { headers }),
  });
}

interface Recorded {
  readonly arrival: Arrival;
  readonly loose?: readonly string[];
  readonly headers?: Answer["headers"];
}

function record(state: AccountState, event: RequestEvent, { arrival, loose = NOTHING, headers = NO_HEADERS }: Recorded): Decision<Answer> {
  const written = withManner(event, arrival, { clock: state.clock, loose });
  return { events: [written], answer: { event: written, headers, organization: state.settings.organization } };
}

const NOTHING: readonly string[] = [];
const NO_HEADERS: Answer["headers"] = {};

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
