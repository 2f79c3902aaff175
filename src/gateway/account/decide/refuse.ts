import { type Order, orderContent } from "../../domain/order.ts";
import type { Refused } from "../../domain/refusal.ts";
import type { RequestRefused } from "../events.ts";
import type { AccountState } from "../state.ts";
import { RefusedByRule, type Moment } from "./evaluate-rules.ts";
import { identify } from "./sell.ts";

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
export function refuse(state: AccountState, refused: Refused, call: RefusedCall, moment: Moment): RequestRefused {
  const content = contentOf(call, refused);
  const identity = identify(state, content, moment.random);
  const { validationErrors, hint, retryAt } = refused.details;
  return {
    kind: "refused",
    at: moment.at,
    requestId: identity.draws.uuid(),
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
