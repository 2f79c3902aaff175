import { closestWord } from "../../document/closest-word.ts";
import { quote } from "../../document/describe-value.ts";
import type { Draws, LabelledRandom } from "../../domain/draws.ts";
import { CHALLENGE, type RefusalCode, type RefusalDetails, Refused, retryLater } from "../../domain/refusal.ts";
import { cents, type Kes, LARGEST, NO_MONEY, smallerKes, available, type Wallet } from "../../domain/kes.ts";
import { type Instant, SECOND } from "../../domain/time.ts";
import type { Writable } from "../../domain/immutable.ts";
import type { RunningScenario } from "../../scenario/running-scenario.ts";
import type { AppliedRules, Breakage } from "../../scenario/applied-rules.ts";
import { answerBy, refusalBy, type RuleDecision } from "../../scenario/effects.ts";
import { breakageOf, isBeforeAccept } from "../../scenario/effects/connection.ts";
import type { RequestOutcome } from "../../scenario/effects/effect.ts";
import { evaluateAndExplain } from "../../scenario/evaluate-rules.ts";
import type { RuleRequest } from "../../scenario/rule-request.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import type { ScenarioLibrary } from "../../scenario/scenario-library.ts";
import type { AccountEvent } from "../account-event.ts";
import type { RequestEvent } from "../events.ts";
import type { AccountState } from "../state.ts";

/** Everything that a decision may depend on besides the account's state. */
export interface Moment {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** A scenario that takes priority over the active ones. */
  readonly played?: RunningScenario;
}

/** The request header that selects an active or shipped scenario for one request, with the highest priority. Ignored if `hints` is off. */
const HEADER = "x-kredo-scenario";

/** Returns the moment of a request, with the scenario that it selects. Throws `Refused` 422 for an unknown name. */
export function playScenario(
  { scenarios }: AccountState,
  moment: Moment,
  name: string | undefined,
  shipped: ScenarioLibrary,
): Moment {
  if (name === undefined || !moment.gateway.hints) return moment;
  const active = scenarios.find(({ scenario }) => scenario.name === name);
  if (active !== undefined) return { ...moment, played: active };
  const scenario = shipped.find(name);
  if (scenario !== undefined) return { ...moment, played: { scenario, since: moment.at, off: [] } };
  const meant = closestWord(name, [...scenarios.map((one) => one.scenario.name), ...shipped.names()]);
  const repair = meant === undefined ? "kredo list shows the shipped ones" : `did you mean ${meant}?`;
  const sentence = `No scenario, active or shipped, is called ${quote(name)}.`;
  throw new Refused(422, { validationErrors: { [HEADER]: [sentence] }, hint: repair });
}

/** Evaluates the rules of the active scenarios for a valid request. */
export function decideByRules(
  state: AccountState,
  subject: RuleRequest["subject"],
  moment: Moment,
  draws: Draws,
): RuleDecision {
  return evaluateAndExplain(scenariosFor(state, moment), {
    at: moment.at,
    subject,
    available: available(state.wallet),
    draws,
    counted: (counter) => state.counters.get(counter) ?? 0,
  });
}

function scenariosFor({ scenarios }: AccountState, { played }: Moment): readonly RunningScenario[] {
  if (played === undefined) return scenarios;
  return [played, ...scenarios.filter(({ scenario }) => scenario.name !== played.scenario.name)];
}

/** Returns what a request's event records about the rules; undefined if they had no effect. */
export function appliedRules(decision: RuleDecision, draws: Draws, outcome: RequestOutcome): AppliedRules | undefined {
  const { fired, counters, missed } = decision;
  return fired.length === 0 && counters.length === 0 && missed === undefined
    ? undefined
    : writeAppliedRules(decision, draws, outcome);
}

export function writeAppliedRules(decision: RuleDecision, draws: Draws, outcome: RequestOutcome): AppliedRules {
  const { fired, counters, missed } = decision;
  const written: Writable<AppliedRules> = {
    fired: fired.map(({ scenario, rule }) => ({ scenario, rule })),
    counters,
    entered: enteredStates(decision),
    ...answerBy(decision, draws, outcome),
  };
  if (missed !== undefined) written.missed = missed;
  return written;
}

/** Sets what is available after a request, limited to what the wallet can store exactly besides its holds. */
export function walletSetByRule({ held }: Wallet, event: RequestEvent, balance: Kes): AccountEvent {
  const hold = event.kind === "accepted" ? event.hold : NO_MONEY;
  return { kind: "wallet-set", at: event.at, available: smallerKes(balance, cents(LARGEST - held - hold)) };
}

/** Returns how the connection breaks before the request is accepted, if it does. */
export function breaksBefore({ effects: { connection } }: RuleDecision): Breakage | undefined {
  return connection !== undefined && isBeforeAccept(connection) ? breakageOf(connection) : undefined;
}

/** A refusal after the rules were evaluated: by a rule, or by a later check. */
export class RefusedByRule extends Refused {
  readonly rules: AppliedRules | undefined;
  /** The raw body to send instead of the envelope. */
  readonly answer: string | undefined;

  constructor({ code, details }: Pick<Refused, "code" | "details">, rules: AppliedRules | undefined, answer?: string) {
    super(code, details);
    this.rules = rules;
    this.answer = answer;
  }
}

/** Throws the refusal that the rules demand, if any. */
export function refuseByRule(decision: RuleDecision, draws: Draws, at: Instant): void {
  const refusal = refusalBy(decision);
  if (refusal === undefined) return;
  const { code, details } = refusal;
  const usual = usualDetails(code, at);
  const headers = { ...usual.headers, ...details.headers };
  const rules = appliedRules(decision, draws, "refused");
  throw new RefusedByRule({ code, details: { ...usual, ...details, headers } }, rules, refusal.body);
}

/** Returns the details common to every refusal with this code. */
function usualDetails(code: RefusalCode, at: Instant): RefusalDetails {
  if (code === 401) return { headers: CHALLENGE };
  return code === 429 ? retryLater(at + SCRIPTED_WAIT, at) : {};
}

/** The Retry-After of a scripted 429: the default period of a rate limit. */
const SCRIPTED_WAIT = SECOND;

/** Returns the new state of each scenario: the one set by its first rule that sets one. */
function enteredStates({ fired }: RuleDecision): AppliedRules["entered"] {
  return fired.flatMap(({ scenario, effects: { enter } }) => (enter === undefined ? [] : [{ scenario, state: enter }]));
}

/** Returns the gateway settings with the numbers that scenarios ported. The last scenario wins, as for the rest of a setup. */
export function portAsScripted(gateway: GatewaySettings, scenarios: readonly RunningScenario[]): GatewaySettings {
  if (scenarios.length === 0) return gateway;
  const known = ported.get(scenarios);
  if (known !== undefined) return known;
  const made = overlay(gateway, scenarios);
  ported.set(scenarios, made);
  return made;
}

/** Lists of scenarios are never shared between sandboxes, so the list alone can be the key. */
const ported = new WeakMap<readonly RunningScenario[], GatewaySettings>();

function overlay(gateway: GatewaySettings, scenarios: readonly RunningScenario[]): GatewaySettings {
  const overrides = scenarios.map(({ scenario }) => scenario.setup?.numbers?.ported).filter((one) => one !== undefined);
  if (overrides.length === 0) return gateway;
  const { numbers: numbering } = gateway;
  return { ...gateway, numbers: { ...numbering, ported: Object.assign({}, numbering.ported, ...overrides) } };
}
