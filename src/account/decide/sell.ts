import { routeTo, type Route } from "../../domain/carrier.ts";
import type { LabelledRandom } from "../../domain/draws.ts";
import { NO_MONEY } from "../../domain/kes.ts";
import { type Order, orderContent } from "../../domain/order.ts";
import type { ActiveScenario, Director, Directive, Subject } from "../../domain/directive.ts";
import { planDirected } from "../../domain/directed-plan.ts";
import { quote, type Quote } from "../../domain/price.ts";
import { Refused } from "../../domain/refusal.ts";
import type { GatewaySettings, ResultCodes } from "../../domain/settings.ts";
import { formatDuration, type Instant } from "../../domain/time.ts";
import { available } from "../../domain/wallet.ts";
import type { Writable } from "../../domain/writable.ts";
import type { Accepted, ConnectionCut } from "../events.ts";
import type { AccountState } from "../state.ts";
import { breaksBefore, direct, directed, DirectedRefusal, refuseAsDirected, writeDirected } from "./direct.ts";
import { type Identity, identify } from "./identify.ts";

/** What a decision may look at besides the account's state. */
export interface Moment {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** Transactions that may have something still to come. */
  readonly maxUnresolved: number;
  readonly director: Director;
  /** A scenario that is asked first, before those that are active. */
  readonly played?: ActiveScenario;
  /** The request's own headers. */
  readonly header: (name: string) => string | undefined;
}

/**
 * Takes a valid order: holds its price and plans its result; or a scenario breaks its connection. Throws `Refused`, and
 * then no money is touched.
 */
export function sell(state: AccountState, order: Order, moment: Moment): Accepted | ConnectionCut {
  refuseWhenFull(state, moment);
  const reached = routeOrRefuse(order, moment.gateway);
  const { content, draws } = identify(state, orderContent(order), moment.random);
  refuseDuplicate(state, content, moment);
  const quoted = quote(order, moment.gateway.carriers[reached.carrier], moment.gateway);
  const directive = direct(state, subjectOf(order, reached, quoted), { moment, draws });
  refuseAsDirected(directive, draws);
  const breakage = breaksBefore(directive);
  if (breakage !== undefined)
    return {
      kind: "cut",
      at: moment.at,
      requestId: draws.uuid(),
      content,
      order,
      breakage,
      directed: writeDirected(directive, draws, "cut"),
    };
  const route = rerouted(reached, directive, moment);
  const requoted = route === reached ? quoted : quote(order, moment.gateway.carriers[route.carrier], moment.gateway);
  return accept(state, order, { moment, draws, content, directive, route, quoted: requoted });
}

function subjectOf(order: Order, { carrier }: Route, quoted: Quote): Subject {
  const { operation } = order;
  return quoted.operation === "sms" ? { operation, order, carrier, measure: quoted.measure } : { operation, order, carrier };
}

interface Offer extends Identity {
  readonly moment: Moment;
  readonly directive: Directive;
  readonly route: Route;
  readonly quoted: Quote;
}

function accept(state: AccountState, order: Order, offer: Offer): Accepted {
  const { moment, draws, content, directive, route, quoted } = offer;
  const { at, gateway } = moment;
  const isAffordable = quoted.price <= available(state.wallet);
  if (!isAffordable && gateway.insufficientFunds === "refuse")
    throw new DirectedRefusal(new Refused(402), { directed: directed(directive, draws, "refused") });
  const hold = isAffordable ? quoted.price : NO_MONEY;
  const outcome = isAffordable ? carrierOutcome(state, order, route) : "insufficientFunds";
  const accepted: Writable<Accepted> = {
    kind: "accepted",
    at,
    requestId: draws.uuid(),
    order,
    content,
    carrier: route.carrier,
    ported: route.ported,
    hold,
    plan: planDirected(order, directive, { gateway, route, draws, hold, outcome, at }),
  };
  if (quoted.operation === "sms") accepted.measure = quoted.measure;
  const written = directed(directive, draws, "accepted");
  if (written !== undefined) accepted.directed = written;
  if (order.operation === "airtime" && gateway.duplicateWindow > 0) accepted.repeatableAt = at + gateway.duplicateWindow;
  return accepted;
}

/** Stuck transactions take room as well: none of them is ever evicted. */
function refuseWhenFull({ unresolved, stuck }: AccountState, { maxUnresolved }: Moment): void {
  if (unresolved + stuck < maxUnresolved) return;
  throw new Refused(500, {
    hint: `${unresolved + stuck} transactions have something still to come, as many as journal.max_unresolved allows`,
  });
}

/** Older public pages of the gateway say that a similar airtime request within 5 minutes is rejected (public-facts.md); the code is a guess. */
function refuseDuplicate(state: AccountState, content: number, { at, gateway }: Moment): void {
  if (at >= (state.repeatable.get(content) ?? at)) return;
  const sentence = `The same airtime was sent to this number less than ${formatDuration(gateway.duplicateWindow)} ago.`;
  throw new Refused(422, { validationErrors: { phone_number: [sentence] } });
}

/** Validation has refused every number without a carrier, so one that gets here is our own mistake. */
function routeOrRefuse(order: Order, gateway: GatewaySettings): Route {
  const route = routeTo(order.phoneNumber, gateway.numbering);
  if (route === undefined) throw new Error(`${order.phoneNumber} belongs to no carrier and was not refused`);
  return route;
}

/** A rule may have another carrier serve the number, for its price and its latency too. */
function rerouted(route: Route, { effects }: Directive, { gateway: { numbering } }: Moment): Route {
  const { carrier } = effects.result ?? {};
  if (carrier === undefined || carrier === route.carrier) return route;
  return routeTo(route.phoneNumber, { ...numbering, ported: { [route.phoneNumber]: carrier } }) ?? route;
}

/** A sender ID that is registered, but not with this number's carrier, is accepted and then rejected (DESIGN.md section 6). */
function carrierOutcome(state: AccountState, order: Order, route: Route): keyof ResultCodes {
  if (order.operation === "airtime") return "success";
  return state.senderIds.get(order.senderId)?.has(route.carrier) ? "success" : "rejected";
}
