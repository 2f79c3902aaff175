import type { Immutable } from "../domain/immutable.ts";
import * as z from "zod";
import type { Draws } from "../domain/draws.ts";
import type { Order } from "../domain/order.ts";
import type { AppliedRules } from "./applied-rules.ts";
import { ack } from "./effects/ack.ts";
import { callback } from "./effects/callback.ts";
import { connection } from "./effects/connection.ts";
import type { Effect, EffectContext, RequestOutcome, ScriptedRefusal } from "./effects/effect.ts";
import { enter } from "./effects/enter.ts";
import { refuse } from "./effects/refuse.ts";
import { result } from "./effects/result.ts";
import { type Plan, type PlanContext, planOrder } from "./plan.ts";
import type { RuleDecision } from "./rule-decision.ts";
import { shapeOf } from "./values.ts";

/** Every effect, in the order in which they are described and carried out. */
const TABLE = {
  [refuse.key]: refuse,
  [connection.key]: connection,
  [ack.key]: ack,
  [result.key]: result,
  [callback.key]: callback,
  [enter.key]: enter,
};

/** What a rule does. */
export const thenSchema = z.lazy(() => z.strictObject(shapeOf(TABLE)));

export type Effects = Immutable<z.output<typeof thenSchema>>;

export type EffectKey = keyof typeof TABLE;

type EffectValue<Key extends EffectKey> = NonNullable<Effects[Key]>;

export const EFFECTS: { readonly [Key in EffectKey]: Effect<Key, EffectValue<Key>> } = TABLE;

export const EFFECT_KEYS: readonly EffectKey[] = Object.keys(EFFECTS).filter(isEffectKey);

/** The effects as they stand in a file. */
export function printEffects(effects: Effects): Record<string, unknown> {
  return Object.fromEntries(EFFECT_KEYS.flatMap((key) => printEffect(key, effects[key])));
}

/** The effects in words: `acknowledged after 5s; callback never sent`. */
export function describeEffects(effects: Effects): string {
  return EFFECT_KEYS.flatMap((key) => describeEffect(key, effects[key])).join("; ") || "nothing";
}

/** What a decision refuses the request with. */
export function refusalBy({ effects }: RuleDecision): ScriptedRefusal | undefined {
  return EFFECT_KEYS.map((key) => refuseBy(key, effects[key])).find((refusal) => refusal !== undefined);
}

/** How a decision changes the answer to a request. */
export function answerBy(
  decision: RuleDecision,
  { draws, outcome }: { readonly draws: Draws; readonly outcome: RequestOutcome },
): Partial<AppliedRules> {
  const changes = EFFECT_KEYS.map((key) => changeAnswer(key, decision.effects[key], { draws, outcome, decision }));
  const acks = changes.flatMap((change) => change?.ack ?? []);
  return Object.assign({}, ...changes, acks.length > 0 && { ack: Object.assign({}, ...acks.toReversed()) });
}

/** Plans an order as the rules decided; what they leave open is as without them. */
export function planByRules(order: Order, decision: RuleDecision, context: PlanContext): Plan {
  const plan = planOrder(order, context);
  if (decision.fired.length === 0) return plan;
  return EFFECT_KEYS.reduce((planned, key) => changePlan(key, decision.effects[key], { plan: planned, decision, order, context }), plan);
}

function isEffectKey(key: string): key is EffectKey {
  return Object.hasOwn(TABLE, key);
}

function printEffect<Key extends EffectKey>(key: Key, effect: EffectValue<Key> | undefined): [string, unknown][] {
  return effect === undefined ? [] : [[key, EFFECTS[key].print(effect)]];
}

function describeEffect<Key extends EffectKey>(key: Key, effect: EffectValue<Key> | undefined): string[] {
  return effect === undefined ? [] : [EFFECTS[key].describe(effect)];
}

function refuseBy<Key extends EffectKey>(key: Key, effect: EffectValue<Key> | undefined): ScriptedRefusal | undefined {
  return effect === undefined ? undefined : EFFECTS[key].refuse?.(effect);
}

function changeAnswer<Key extends EffectKey>(
  key: Key,
  effect: EffectValue<Key> | undefined,
  { decision, ...context }: { readonly decision: RuleDecision; readonly draws: Draws; readonly outcome: RequestOutcome },
): Partial<AppliedRules> | undefined {
  return effect === undefined ? undefined : EFFECTS[key].answer?.(effect, { ...context, by: ruleOf(decision, key) });
}

function changePlan<Key extends EffectKey>(
  key: Key,
  effect: EffectValue<Key> | undefined,
  {
    plan,
    decision,
    order,
    context,
  }: { readonly plan: Plan; readonly decision: RuleDecision; readonly order: Order; readonly context: PlanContext },
): Plan {
  if (effect === undefined) return plan;
  return EFFECTS[key].plan?.(plan, effect, { ...context, order, by: ruleOf(decision, key) }) ?? plan;
}

function ruleOf({ fired }: RuleDecision, key: EffectKey): EffectContext["by"] {
  const rule = fired.find(({ effects }) => effects[key] !== undefined);
  if (rule === undefined) throw new Error(`no rule has set ${key}`);
  return rule;
}
