import type { Writable } from "../../domain/immutable.ts";
import { type Order, orderContent } from "../../domain/order.ts";
import type { Refused } from "../../domain/refusal.ts";
import { requestIdOf } from "../../domain/request-id.ts";
import type { Instant } from "../../domain/time.ts";
import type { ClockState } from "../../settings/clock.ts";
import { RefusedByRule } from "../../scenario/effects.ts";
import type { AccountEvent } from "../account-event.ts";
import type { RequestEvent, RequestRefused } from "../events.ts";
import type { RequestTraits } from "../request-traits.ts";
import type { AccountState } from "../state.ts";
import { type DecisionContext, walletSetByRule } from "./apply-rules.ts";
import { identify } from "./sell.ts";

/** A decided request: its event, and additional response headers. */
export interface DecidedRequest {
  readonly event: RequestEvent;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the checks of a request make of it. */
export interface CheckedRequest {
  readonly event: RequestEvent;
  /** What is in a form that differs from the document's. */
  readonly lenient?: readonly string[];
  readonly headers?: DecidedRequest["headers"];
}

/** The decision about a request: what it appends to the journal, and what its response is made of. */
interface RecordedRequest {
  readonly events: readonly AccountEvent[];
  readonly answer: DecidedRequest;
}

/** What a request shows of its client, besides its content. */
interface ArrivedRequest {
  /** Wall time. */
  readonly receivedAt: Instant;
  readonly isFirstOnConnection: boolean;
  readonly isOfKredo: boolean;
  readonly exposed: RequestTraits["exposed"] | undefined;
  readonly traceparent: string | undefined;
}

/** Returns the decision that journals a request's event, with what its connection shows. */
export function recordRequest(
  state: AccountState,
  request: ArrivedRequest,
  { event, lenient = [], headers = {} }: CheckedRequest,
): RecordedRequest {
  const written = withTraits(event, request, state.clock, lenient);
  const balance = written.rules?.wallet;
  const events = balance === undefined ? [written] : [written, walletSetByRule(state.wallet, written, balance)];
  return { events, answer: { event: written, headers } };
}

/** Adds the traits worth recording to a request's new event. */
function withTraits(
  event: RequestEvent,
  request: ArrivedRequest,
  clock: ClockState,
  lenient: readonly string[],
): RequestEvent {
  const isWallApart = clock.mode !== "real";
  const { receivedAt, isFirstOnConnection, isOfKredo, exposed, traceparent } = request;
  if (isOrdinary(request) && !isWallApart && lenient.length === 0) return event;
  const written: Writable<RequestEvent> = event;
  written.traits = {
    wallAt: isWallApart ? receivedAt : undefined,
    isFirstOnConnection: isFirstOnConnection || undefined,
    isOfKredo: isOfKredo || undefined,
    exposed,
    lenient: lenient.length > 0 ? lenient : undefined,
    traceparent,
  };
  return event;
}

function isOrdinary({ isFirstOnConnection, isOfKredo, exposed, traceparent }: ArrivedRequest): boolean {
  return !isFirstOnConnection && !isOfKredo && exposed === undefined && traceparent === undefined;
}

/** The refused request, as far as it was understood. */
export interface RefusedCall {
  readonly method: string;
  readonly path: string;
  readonly operation?: RequestRefused["operation"];
  readonly body: string;
  readonly unknownKey?: string;
  readonly order?: Order;
}

/** The most characters of a refused request's body that are stored. */
const KEPT_BODY = 4_096;

/** The most characters of an unknown consumer key that are stored. */
const KEPT_KEY = 200;

/** Records a refusal. An order gets the same id as if it had been accepted. */
export function recordRefusal(
  state: AccountState,
  refused: Refused,
  call: RefusedCall,
  moment: DecisionContext,
): RequestRefused {
  const content = contentOf(call, refused);
  const identity = identify(state, content, moment.random);
  const { validationErrors, hint, retryAt } = refused.details;
  return {
    kind: "refused",
    at: moment.at,
    requestId: requestIdOf(identity.draws, moment.gateway.request_id),
    method: call.method,
    path: call.path,
    content: identity.content,
    code: refused.code,
    description: refused.message,
    operation: call.operation,
    unknownKey: call.unknownKey?.slice(0, KEPT_KEY),
    validationErrors,
    hint,
    retryAt,
    rules: refused instanceof RefusedByRule ? refused.rules : undefined,
    answer: refused instanceof RefusedByRule ? refused.answer : undefined,
    order: call.order,
    body: call.order === undefined ? call.body.slice(0, KEPT_BODY) : undefined,
  };
}

/** A request that reached the rules keeps its content key, so that the next one draws new random values. */
function contentOf({ order, method, path, body }: RefusedCall, refused: Refused): string {
  if (order !== undefined) return orderContent(order);
  return refused instanceof RefusedByRule ? "account-details" : `refused|${method}|${path}|${refused.code}|${body}`;
}
