import { subjectOf } from "../gateway/account/decide/sell.ts";
import type { RequestRow } from "../gateway/account/readings/requests.ts";
import { routeTo } from "../gateway/domain/carrier.ts";
import { quote } from "../gateway/domain/order.ts";
import { available } from "../gateway/domain/kes.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import type { RunningScenario } from "../gateway/scenario/running-scenario.ts";
import { evaluateRules } from "../gateway/scenario/evaluate-rules.ts";
import type { RuleRequest } from "../gateway/scenario/rule-request.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";

/** The most orders that are looked at. */
const LOOKED_BACK = 50;

/**
 * Returns which of the last 50 valid orders each rule would have matched, if the scenario had started before them, alone and with the
 * current wallet.
 */
export function wouldHaveMet(account: RunningAccount, scenario: Scenario): { rule: string; requestIds: string[] }[] {
  const met = new Map((scenario.rules ?? []).map(({ name }) => [name, new Array<string>()]));
  const orders = account.index.requests.filter(({ order }) => order !== undefined).slice(-LOOKED_BACK);
  const active: RunningScenario = { scenario, since: orders[0]?.at ?? 0, off: [] };
  const counters = new Map<string, number>();
  for (const row of orders) {
    const request = ruleRequest(account, row, counters);
    if (request === undefined) continue;
    const decision = evaluateRules([active], request);
    for (const counter of decision.counters) counters.set(counter, (counters.get(counter) ?? 0) + 1);
    for (const { rule } of decision.fired) met.get(rule)?.push(row.requestId);
  }
  return [...met].map(([rule, requestIds]) => ({ rule, requestIds }));
}

function ruleRequest(
  account: RunningAccount,
  { at, order, requestId }: RequestRow,
  counters: ReadonlyMap<string, number>,
): RuleRequest | undefined {
  const { gateway, random } = account.moment(at);
  const route = order && routeTo(order.phoneNumber, gateway.numbers);
  if (order === undefined || route === undefined) return undefined;
  return {
    at,
    subject: subjectOf(order, route, quote(order, gateway.carriers[route.carrier], gateway)),
    available: available(account.state.wallet),
    draws: random.digest(requestId),
    counted: (counter) => counters.get(counter) ?? 0,
  };
}
