import type { Moment } from "../account/decide/moment.ts";
import { queryDetails, sell } from "../account/decide/sell.ts";
import { refuse, type RefusedCall } from "../account/decide/refuse.ts";
import type { RequestEvent } from "../account/events.ts";
import { isRegistered } from "../account/outages.ts";
import { checkRateLimit } from "../account/rate-limit.ts";
import type { AccountState } from "../account/state.ts";
import { readAirtimeOrder } from "../contract/airtime.ts";
import { readJsonObject, type Fields } from "../contract/json-body.ts";
import { readSmsOrder } from "../contract/sms.ts";
import type { Order, RoutedOrder } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import type { Decision } from "../engine/live-journal.ts";
import type { ScenarioLibrary } from "../ports/scenario-library.ts";
import { type Endpoint, ENDPOINTS } from "./endpoints.ts";
import { withTraits } from "./gateway-request.ts";
import type { GatewayRequest } from "./bindings.ts";
import type { Answer } from "./reply.ts";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";

export interface DecideRequestOptions {
  readonly operation: Endpoint["operation"];
  readonly request: GatewayRequest;
  readonly shipped: ScenarioLibrary;
}

/** Checks the rate limit, content and validation, and sells: one decision on one state, so that its events are appended together. */
export function decideRequest(
  state: AccountState,
  moment: Moment,
  { operation, request, shipped }: DecideRequestOptions,
): Decision<Answer> {
  let read: ReadOrder | undefined;
  try {
    checkRateLimit(state, moment.at);
    const played = playScenario(state, moment, shipped);
    if (operation === "account-details") return record(state, queryDetails(state, played), { request });
    read = readOrder(state, moment, { operation, request });
    return record(state, sell(state, read, played), { request, loose: read.loose });
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return recordRefusal(state, problem, { request, moment, ...(read && { read }) });
  }
}

/** An order, and its fields that only a lenient setting accepts. */
interface ReadOrder extends RoutedOrder {
  readonly loose: readonly string[];
}

function readOrder(
  state: AccountState,
  { gateway }: Moment,
  { operation, request }: { operation: Order["operation"]; request: GatewayRequest },
): ReadOrder {
  checkContentType(request.contentType);
  const fields = readJsonObject(request.body);
  const read =
    operation === "airtime"
      ? readAirtimeOrder(fields, gateway)
      : readSmsOrder(fields, gateway, (senderId) => isRegistered(state, senderId));
  return { ...read, loose: looseFields(fields, read.order) };
}

/** Records a refusal with as much of the request as was read. */
export function recordRefusal(
  state: AccountState,
  refused: Refused,
  { request, moment, read }: { request: GatewayRequest; moment: Moment; read?: ReadOrder },
): Decision<Answer> {
  const operation = ENDPOINTS.get(request.path)?.operation;
  const call: RefusedCall = {
    method: request.method,
    path: request.path,
    body: Buffer.from(request.body).toString("utf8"),
    ...(operation === undefined ? {} : { operation }),
    ...(request.unknownKey !== undefined && { unknownKey: request.unknownKey }),
    ...(read && { order: read.order }),
  };
  const { headers } = refused.details;
  return record(state, refuse(state, refused, { call, moment }), {
    request,
    ...(read && { loose: read.loose }),
    ...(headers && { headers }),
  });
}

interface Recorded {
  readonly request: GatewayRequest;
  readonly loose?: readonly string[];
  readonly headers?: Answer["headers"];
}

function record(
  state: AccountState,
  event: RequestEvent,
  { request, loose = NOTHING, headers = NO_HEADERS }: Recorded,
): Decision<Answer> {
  const written = withTraits(event, request, { clock: state.clock, loose });
  return { events: [written], answer: { event: written, headers, organization: state.settings.organization } };
}

const NOTHING: readonly string[] = [];
const NO_HEADERS: Answer["headers"] = {};

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/** Accepts application/json, with or without the charset UTF-8 (document 2). Throws `Refused` 415. */
function checkContentType(contentType: string | undefined): void {
  if (contentType === "application/json" || (contentType !== undefined && JSON_TYPE.test(contentType))) return;
  const found = contentType === undefined ? "there is no Content-Type header" : `the Content-Type is ${contentType}`;
  throw new Refused(415, { hint: `${found}; send application/json in UTF-8` });
}

/**
 * Returns the fields accepted in a form that differs from the document (2.1, 2.2): an amount as a JSON number, a phone number in local
 * format.
 */
function looseFields(fields: Fields, order: Order): string[] {
  const names: string[] = [];
  if (fields["phone_number"] !== order.phoneNumber) names.push("phone_number");
  if (order.operation === "airtime" && typeof fields["amount"] !== "string") names.push("amount");
  return names;
}

/** The request header that selects an active or shipped scenario for one request, with the highest priority. Ignored if `hints` is off. */
const HEADER = "x-kredo-scenario";

/** Returns the moment of a request, with the scenario that it selects. Throws `Refused` 422 for an unknown name. */
function playScenario({ scenarios }: AccountState, moment: Moment, shipped: ScenarioLibrary): Moment {
  const name = moment.gateway.hints ? moment.header(HEADER) : undefined;
  if (name === undefined) return moment;
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  if (active !== undefined) return { ...moment, played: active };
  const scenario = shipped.find(name);
  if (scenario === undefined)
    throw unknownScenario(name, [...scenarios.map((one) => one.scenario.name), ...shipped.names()]);
  return { ...moment, played: { scenario, since: moment.at, off: [] } };
}

function unknownScenario(name: string, known: readonly string[]): Refused {
  const meant = closestWord(name, known);
  const repair = meant === undefined ? "kredo list shows the shipped ones" : `did you mean ${meant}?`;
  const sentence = `No scenario, active or shipped, is called ${quote(name)}.`;
  return new Refused(422, { validationErrors: { [HEADER]: [sentence] }, hint: repair });
}
