import type { Immutable, Writable } from "../domain/immutable.ts";
import * as z from "zod";
import { drawDelay, type Draws } from "../domain/draws.ts";
import { NO_MONEY } from "../domain/kes.ts";
import { carrierResult, isCharged, type Order } from "../domain/order.ts";
import { CHALLENGE, type RefusalCode, type RefusalDetails, Refused, retryLater } from "../domain/refusal.ts";
import { SENTENCES } from "../domain/sentences.ts";
import { type Instant, SECOND } from "../domain/time.ts";
import type { AppliedRules } from "./effects/applied-rules.ts";
import { ack } from "./effects/ack.ts";
import { callback } from "./effects/callback.ts";
import { connection } from "./effects/connection.ts";
import type {
  AnswerContext,
  Effect,
  EffectContext,
  OrderContext,
  PlanContext,
  RequestOutcome,
  ScriptedRefusal,
} from "./effects/effect.ts";
import type { Plan } from "./effects/plan.ts";
import { refuse } from "./effects/refuse.ts";
import { result } from "./effects/result.ts";
import { wallet } from "./effects/wallet.ts";
import type { RuleRequest } from "./matchers/rule-request.ts";
import { shapeOf } from "../document/values.ts";

/** Every effect, in the order in which they are described and applied. */
const TABLE = {
  [refuse.key]: refuse,
  [connection.key]: connection,
  [ack.key]: ack,
  [result.key]: result,
  [callback.key]: callback,
  [wallet.key]: wallet,
};

/** The effects of a rule. */
export const thenSchema = z.lazy(() => z.strictObject(shapeOf(TABLE)));

export type Effects = Immutable<z.output<typeof thenSchema>>;

/** The combined decision of the rules for one request. */
export interface RuleDecision {
  /** The rules that fired, in order. Each adds the effects that no earlier one has set. */
  readonly fired: readonly FiredRule[];
  readonly effects: Effects;
  /**
   * The counters of the rules that the request reached and otherwise matched. Each is incremented, whether or not its rule fired. Their
   * names begin with the scenario's name and a slash, so that they end with the scenario.
   */
  readonly counters: readonly string[];
  /** The closest rule that did not fire. Rules that name other numbers in full are not considered. */
  readonly missed?: NearMiss;
}

export interface FiredRule {
  readonly scenario: string;
  readonly rule: string;
  /** When the scenario started; `hold_until` counts from then. */
  readonly since: Instant;
  /** The effects that it set. */
  readonly effects: Effects;
}

export interface NearMiss {
  readonly scenario: string;
  readonly rule: string;
  /** The first matcher that differed, by its key in the file. */
  readonly matcher: string;
  /** The difference: `amount is 50.00, not at least 100.00`. */
  readonly difference: string;
}

export type EffectKey = keyof typeof TABLE;

type EffectValue<Key extends EffectKey> = NonNullable<Effects[Key]>;

export const EFFECTS: { readonly [Key in EffectKey]: Effect<Key, EffectValue<Key>> } = TABLE;

export const EFFECT_KEYS: readonly EffectKey[] = Object.keys(EFFECTS).filter(isEffectKey);

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

type RefusalContext = Pick<PlanContext, "at" | "gateway">;

/** Returns the refusal that a decision about a request demands, if any: what the gateway itself would send with its code. */
export function refusalBy(
  decision: RuleDecision,
  draws: Draws,
  moment: RefusalContext,
  subject: RuleRequest["subject"],
): RefusedByRule | undefined {
  if (decision.fired.length === 0) return undefined;
  const refusal = bindAll(decision.effects)
    .map((effect) => effect.refuse())
    .find((one) => one !== undefined);
  if (refusal === undefined) return undefined;
  const { code, details, body } = refusal;
  const { validationErrors, ...usual } = usualDetails(code, moment, subject);
  const written =
    body === undefined ? { ...details, validationErrors: details.validationErrors ?? validationErrors } : details;
  const rules = recordRules(decision, draws, "refused");
  return new RefusedByRule({ code, details: { ...usual, ...written } }, rules, body);
}

/**
 * Returns the details common to every refusal with this code. A 422 names a field (public-facts.md): of a valid order, the number, which no
 * carrier may serve all the same.
 */
function usualDetails(
  code: RefusalCode,
  { at, gateway }: RefusalContext,
  subject: RuleRequest["subject"],
): RefusalDetails {
  if (code === 401) return { headers: CHALLENGE };
  if (code === 422 && "order" in subject)
    return {
      validationErrors: { phone_number: [SENTENCES[gateway.refusals.sentences].unserved(subject.order.phoneNumber)] },
    };
  return code === 429 ? retryLater(at + SCRIPTED_WAIT, at) : {};
}

/** The Retry-After of a scripted 429: the default period of a rate limit. */
const SCRIPTED_WAIT = SECOND;

/** Returns what a request's event records of the rules, with how they change the response; undefined if they had no effect. */
export function recordRules(decision: RuleDecision, draws: Draws, outcome: RequestOutcome): AppliedRules | undefined {
  const { fired, counters, missed } = decision;
  if (fired.length === 0 && counters.length === 0 && missed === undefined) return undefined;
  const recorded: Writable<AppliedRules> = {
    fired: fired.map(({ scenario, rule }) => ({ scenario, rule })),
    counters,
    ...answerBy(decision, draws, outcome),
  };
  if (missed !== undefined) recorded.missed = missed;
  return recorded;
}

function answerBy(decision: RuleDecision, draws: Draws, outcome: RequestOutcome): Partial<AppliedRules> {
  const changes = bindAll(decision.effects).map(({ key, answer }) =>
    answer({ draws, outcome, by: ruleOf(decision, key) }),
  );
  const acks = changes.flatMap((change) => change?.ack ?? []);
  return Object.assign({}, ...changes, acks.length > 0 && { ack: Object.assign({}, ...acks.toReversed()) });
}

/** Plans an order according to the rules. What they leave open is planned as without them. */
export function planByRules(order: Order, decision: RuleDecision, context: PlanContext): Plan {
  const ordinary = planOrder(order, context);
  if (decision.fired.length === 0) return ordinary;
  return bindAll(decision.effects).reduce(
    (plan, { key, change }) => change(plan, { ...context, order, by: ruleOf(decision, key) }) ?? plan,
    ordinary,
  );
}

/** Plans an order without rules. */
function planOrder(order: Order, { gateway, route, draws, hold, outcome }: PlanContext): Plan {
  const latency = gateway.carriers[route.carrier].latency[order.operation];
  return {
    settleAfter: drawDelay(latency, draws, "carrier latency"),
    result: carrierResult(order, outcome, gateway),
    charge: isCharged(order, outcome, gateway) ? hold : NO_MONEY,
  };
}

function isEffectKey(key: string): key is EffectKey {
  return Object.hasOwn(TABLE, key);
}

/** An effect with its value in a rule. */
interface BoundEffect {
  readonly key: EffectKey;
  readonly refuse: () => ScriptedRefusal | undefined;
  readonly answer: (context: AnswerContext) => Partial<AppliedRules> | undefined;
  readonly change: (plan: Plan, context: OrderContext) => Plan | undefined;
}

function bindAll(effects: Effects): BoundEffect[] {
  const bound: BoundEffect[] = [];
  for (const key of EFFECT_KEYS) bind(key, effects[key], bound);
  return bound;
}

function bind<Key extends EffectKey>(key: Key, value: EffectValue<Key> | undefined, bound: BoundEffect[]): void {
  if (value === undefined) return;
  const effect = EFFECTS[key];
  bound.push({
    key,
    refuse: () => effect.refuse?.(value),
    answer: (context) => effect.answer?.(value, context),
    change: (plan, context) => effect.plan?.(plan, value, context),
  });
}

function ruleOf({ fired }: RuleDecision, key: EffectKey): EffectContext["by"] {
  const rule = fired.find(({ effects }) => effects[key] !== undefined);
  if (rule === undefined) throw new Error(`no rule has set ${key}`);
  return rule;
}
