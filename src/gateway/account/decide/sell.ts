import { routeTo, type Route } from "../../domain/carrier.ts";
import { NO_MONEY, available } from "../../domain/kes.ts";
import { type Order, orderContent, quoteOrder, type ResultCodes, type RoutedOrder } from "../../domain/order.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import { Refused } from "../../domain/refusal.ts";
import { formatDuration } from "../../domain/time.ts";
import type { Writable } from "../../domain/immutable.ts";
import type { Accepted, ConnectionCut, DetailsQueried } from "../events.ts";
import { type AccountState, carriersOf, isCarrierDown } from "../state.ts";
import type { Plan } from "../../scenario/effects/plan.ts";
import { planByRules, recordRules, RefusedByRule, type RuleDecision } from "../../scenario/effects.ts";
import { applyRules, cutByRules, type DecisionContext } from "./apply-rules.ts";
import { requestIdOf } from "../../domain/request-id.ts";
import { contentKey, type Draws, type LabelledRandom } from "../../domain/draws.ts";
import { occurrence, repeatedStart, runLabel } from "../run-label.ts";

/**
 * Accepts a valid order: holds its price and plans its result, unless a scenario breaks the connection. Throws `Refused` without touching
 * any money.
 */
export function sell(
  state: AccountState,
  { order, route: reached }: RoutedOrder,
  moment: DecisionContext,
): Accepted | ConnectionCut {
  const { at, gateway } = moment;
  const { content, draws } = identify(state, orderContent(order), moment.random);
  const isRepeated = isDuplicate(state, content, moment);

  const decision = applyRules(state, { operation: order.operation, order, carrier: reached.carrier }, moment, draws);
  const requestId = requestIdOf(draws, gateway.request_id);
  const cut = cutByRules(decision, draws);
  if (cut !== undefined) return { kind: "cut", at, requestId, content, order, ...cut };

  const route = rerouted(reached, decision, gateway);
  const { carrier, ported } = route;
  const quoted = quoteOrder(order, gateway.carriers[carrier], gateway);

  const isAffordable = quoted.price <= available(state.wallet);
  if (!isAffordable && gateway.insufficient_funds === "refuse")
    throw new RefusedByRule(new Refused(402), recordRules(decision, draws, "refused"));
  const failure = unpaidOutcome(isRepeated, isAffordable);
  const hold = failure === undefined ? quoted.price : NO_MONEY;
  const outcome = failure ?? carrierOutcome(state, order, route);

  const planned = planByRules(order, decision, { at, gateway, draws, route, hold, outcome });
  const plan = underOutage(planned, isCarrierDown(state, carrier));

  const accepted: Writable<Accepted> = { kind: "accepted", at, requestId, order, content, carrier, ported, hold, plan };
  const rules = recordRules(decision, draws, "accepted");
  if (quoted.operation === "sms") accepted.measure = quoted.measure;
  if (rules !== undefined) accepted.rules = rules;
  if (isRemembered(order, gateway) && !isRepeated) accepted.repeatableAt = at + gateway.duplicate_window;
  return accepted;
}

/** While its carrier is down, no result can go before the acknowledgment. */
function underOutage(plan: Plan, isDown: boolean): Plan {
  const { callback } = plan;
  return isDown && callback?.before_ack ? { ...plan, callback: { ...callback, before_ack: false } } : plan;
}

/**
 * The gateway's public pages say that a similar airtime request within 5 minutes is rejected (public-facts.md). Throws `Refused` if that
 * happens at once. The code and the sentence are guesses.
 */
function isDuplicate(state: AccountState, content: number, { at, gateway }: DecisionContext): boolean {
  if (gateway.duplicates === "accept" || at >= (state.repeatable.get(content) ?? at)) return false;
  if (gateway.duplicates === "fail_by_callback") return true;
  const window = formatDuration(gateway.duplicate_window);
  throw new Refused(422, {
    validationErrors: { phone_number: [`The same airtime was sent to this number less than ${window} ago.`] },
    hint: `duplicates is refuse, and duplicate_window ${window}: a repeated order is refused before any scenario applies, including the magic numbers`,
  });
}

function isRemembered(order: Order, { duplicates }: GatewaySettings): boolean {
  return order.operation === "airtime" && duplicates !== "accept";
}

/** Returns what becomes of an accepted order that nobody paid; undefined if it is paid. */
function unpaidOutcome(isRepeated: boolean, isAffordable: boolean): keyof ResultCodes | undefined {
  if (isRepeated) return "duplicate";
  return isAffordable ? undefined : "insufficient_funds";
}

/** A rule may choose another carrier, which then determines the price and latency, too. */
function rerouted(route: Route, { effects }: RuleDecision, { numbers }: GatewaySettings): Route {
  const carrier = effects.result?.carrier;
  if (carrier === undefined || carrier === route.carrier) return route;
  return routeTo(route.phoneNumber, { ...numbers, ported: { [route.phoneNumber]: carrier } }) ?? route;
}

/** A sender ID that is registered, but not with this number's carrier, is accepted and then rejected. */
function carrierOutcome(state: AccountState, order: Order, route: Route): keyof ResultCodes {
  if (order.operation === "airtime") return "success";
  return carriersOf(state, order.senderId).includes(route.carrier) ? "success" : "rejected";
}

/** Answers an account-details request, or breaks its connection if a scenario says so. Throws `Refused` if a scenario refuses it. */
export function queryDetails(state: AccountState, moment: DecisionContext): DetailsQueried | ConnectionCut {
  const { content, draws } = identify(state, "account-details", moment.random);
  const decision = applyRules(state, { operation: "account-details" }, moment, draws);
  const requestId = requestIdOf(draws, moment.gateway.request_id);
  const shown = { at: moment.at, requestId, content, available: available(state.wallet) };
  const cut = cutByRules(decision, draws);
  if (cut !== undefined) return { kind: "cut", ...shown, ...cut };
  const rules = recordRules(decision, draws, "accepted");
  return rules === undefined ? { kind: "queried", ...shown } : { kind: "queried", ...shown, rules };
}

export interface RequestIdentity {
  readonly content: number;
  readonly draws: Draws;
}

/**
 * Identifies a request by the seed, its content and how often that content came before. So the order in which parallel
 * requests arrive changes nobody's id, delays or outcome.
 */
export function identify(state: AccountState, content: string, random: LabelledRandom): RequestIdentity {
  const key = contentKey(content);
  const label = `${runLabel(state)}|${content}|${occurrence(state, key)}`;
  const draws = random.digest(label);
  const runs = [state.rehearsal, repeatedStart(state)].filter((run) => run !== undefined);
  return {
    content: key,
    draws: runs.length === 0 ? draws : withOtherIds(draws, [label, ...runs].join("|"), random),
  };
}

/**
 * Returns the draws of a run that repeats the delays and outcomes of another, but not its ids: an application remembers the ids of earlier
 * runs, and the gateway never gives one to two orders.
 */
function withOtherIds(draws: Draws, label: string, random: LabelledRandom): Draws {
  return { draw: (purpose) => draws.draw(purpose), uuid: () => random.digest(label).uuid() };
}
