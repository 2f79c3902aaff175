import { closestWord } from "../../document/closest-word.ts";
import { quoteText } from "../../document/describe-value.ts";
import type { Draws, LabelledRandom } from "../../domain/draws.ts";
import { Refused } from "../../domain/refusal.ts";
import { cents, type Kes, LARGEST_KES, NO_MONEY, smallerKes, available, type Wallet } from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import type { RunningScenario } from "../../scenario/running-scenario.ts";
import { recordRules, refusalBy, type RuleDecision } from "../../scenario/effects.ts";
import { breakageOf, isBeforeAccept } from "../../scenario/effects/connection.ts";
import { evaluateAndExplain } from "../../scenario/evaluate-and-explain.ts";
import type { RuleRequest } from "../../scenario/matchers/rule-request.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import type { ScenarioLibrary } from "../../scenario/scenario-library.ts";
import type { AccountEvent } from "../account-event.ts";
import { counterValue } from "../counters.ts";
import type { ConnectionCut, RequestEvent } from "../events.ts";
import { type AccountState, settingsInForce } from "../state.ts";

/** Everything that a decision may depend on besides the account's state. */
export interface DecisionContext {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** A scenario that takes priority over the active ones. */
  readonly played?: RunningScenario;
}

/** The request header that selects an active or shipped scenario for one request, with the highest priority. Ignored if `hints` is off. */
const HEADER = "x-kredo-scenario";

/** Returns the moment of a request, with the scenario that it selects. Throws `Refused` 422 for an unknown name, and for one without rules. */
export function playScenario(
  { scenarios, starts }: AccountState,
  moment: DecisionContext,
  name: string | undefined,
  shipped: ScenarioLibrary,
): DecisionContext {
  if (name === undefined || !moment.gateway.hints) return moment;
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  const scenario = active?.scenario ?? shipped.find(name);
  if (scenario === undefined) {
    const meant = closestWord(name, [...scenarios.map((one) => one.scenario.name), ...shipped.names()]);
    const repair = meant === undefined ? "kredo list shows the shipped ones" : `did you mean ${meant}?`;
    throw refuseToPlay(`No scenario, active or shipped, is called ${quoteText(name)}.`, repair);
  }
  if (scenario.rules === undefined || scenario.rules.length === 0) {
    const sentence = `The scenario ${name} has no rules, so it does nothing to a single request.`;
    throw refuseToPlay(sentence, `start it on the account: kredo scenario start ${name}`);
  }
  return { ...moment, played: active ?? { scenario, since: moment.at, start: starts, off: [], overlay: {} } };
}

function refuseToPlay(sentence: string, hint: string): Refused {
  return new Refused(422, { validationErrors: { [HEADER]: [sentence] }, hint });
}

/** Decides by the rules of the active scenarios on a valid request. Throws `RefusedByRule` if they refuse it. */
export function applyRules(
  state: AccountState,
  subject: RuleRequest["subject"],
  moment: DecisionContext,
  draws: Draws,
): RuleDecision {
  const decision = evaluateAndExplain(scenariosFor(state, moment), {
    at: moment.at,
    subject,
    available: available(state.wallet),
    draws,
    counted: (counter) => counterValue(state, counter),
  });
  const refusal = refusalBy(decision, draws, moment, subject);
  if (refusal !== undefined) throw refusal;
  return decision;
}

/** Returns how the rules break a request's connection before it is accepted; undefined if they do not. */
export function cutByRules(
  decision: RuleDecision,
  draws: Draws,
): Pick<ConnectionCut, "breakage" | "rules"> | undefined {
  const { connection } = decision.effects;
  if (connection === undefined || !isBeforeAccept(connection)) return undefined;
  const rules = recordRules(decision, draws, "cut");
  return rules && { breakage: breakageOf(connection), rules };
}

function scenariosFor({ scenarios }: AccountState, { played }: DecisionContext): readonly RunningScenario[] {
  if (played === undefined) return scenarios;
  return [played, ...scenarios.filter(({ scenario }) => scenario.name !== played.scenario.name)];
}

/** Sets what is available after a request, limited to what the wallet can store exactly besides its holds. */
export function walletSetByRule({ held }: Wallet, event: RequestEvent, balance: Kes): AccountEvent {
  const hold = event.kind === "accepted" ? event.hold : NO_MONEY;
  return { kind: "wallet-set", at: event.at, available: smallerKes(balance, cents(LARGEST_KES - held - hold)) };
}

/** Returns the gateway settings with the numbers that scenarios ported. */
export function withScriptedPorting(gateway: GatewaySettings, state: AccountState): GatewaySettings {
  const { ported } = settingsInForce(state);
  if (ported === undefined) return gateway;
  const known = portedSettings.get(ported);
  if (known?.gateway === gateway) return known.made;
  const { numbers } = gateway;
  const made = { ...gateway, numbers: { ...numbers, ported: { ...numbers.ported, ...ported } } };
  portedSettings.set(ported, { gateway, made });
  return made;
}

interface PortedSettings {
  readonly gateway: GatewaySettings;
  readonly made: GatewaySettings;
}

/** By the ported numbers, for every request asks. */
const portedSettings = new WeakMap<object, PortedSettings>();
