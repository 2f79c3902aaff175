import { drawDelay, type Delay } from "./delay.ts";
import type { Directive, Fired } from "./directive.ts";
import type { Draws } from "./draws.ts";
import { type Kes, NO_MONEY } from "./kes.ts";
import type { Order } from "./order.ts";
import { type CallbackForm, type CallbackPlan, isCharged, type Plan, type PlanContext, planOrder, type Sending } from "./plan.ts";
import { carrierResult, type CarrierResult } from "./result.ts";
import type { CallbackEffect, Effects, ResultEffect } from "./scenario.ts";
import type { ResultCodes } from "./settings.ts";
import type { Instant, Millis } from "./time.ts";
import type { Writable } from "./writable.ts";

export interface DirectedContext extends PlanContext {
  readonly at: Instant;
}

/** Plans an order as the rules decided; what they leave open is as without them. */
export function planDirected(order: Order, directive: Directive, context: DirectedContext): Plan {
  const plan = planOrder(order, context);
  if (directive.fired.length === 0) return plan;
  const { result: scripted = {}, callback } = directive.effects;
  const result = scriptedResult(order, scripted, context) ?? plan.result;
  return {
    settleAfter: settleAfter(plan, directive, context),
    result,
    charge: chargeOf(order, { result, scripted }, context),
    ...(callback && { callback: planCallback(callback, directive, context.draws) }),
  };
}

/** Draws under the name of the rule that an effect is from. */
export function drawScripted(delay: Delay, draws: Draws, { directive, effect, purpose }: Scripted): Millis {
  const rule = directive.fired.find(({ effects }) => effects[effect] !== undefined);
  return drawDelay(delay, draws, `${rule?.scenario}|${rule?.rule}|${purpose}`);
}

export interface Scripted {
  readonly directive: Directive;
  readonly effect: keyof Effects;
  readonly purpose: string;
}

/** Who cannot pay gets no result that needs paying, whatever a rule says. */
function scriptedResult(
  order: Order,
  { resultCode, resultDesc }: ResultEffect,
  { gateway, outcome }: PlanContext,
): CarrierResult | undefined {
  if ((resultCode === undefined && resultDesc === undefined) || outcome === "insufficientFunds") return undefined;
  const planned = carrierResult(
    order,
    resultCode === undefined ? outcome : outcomeOf(resultCode, gateway.resultCodes),
    gateway.resultCodes,
  );
  return { ...planned, ...(resultCode !== undefined && { resultCode }), ...(resultDesc !== undefined && { resultDesc }) };
}

function outcomeOf(resultCode: number, codes: ResultCodes): keyof ResultCodes {
  return OUTCOMES.find((outcome) => codes[outcome] === resultCode) ?? "failed";
}

const OUTCOMES = ["success", "failed", "rejected", "notOnNetwork", "timedOut", "insufficientFunds"] as const;

function chargeOf(
  order: Order,
  { result, scripted }: { result: CarrierResult; scripted: ResultEffect },
  { gateway, hold }: PlanContext,
): Kes {
  return scripted.charge ?? (isCharged(order, result.outcome, gateway) ? hold : NO_MONEY);
}

function settleAfter(plan: Plan, directive: Directive, { at, draws }: DirectedContext): Plan["settleAfter"] {
  const { result = {}, callback } = directive.effects;
  if (result.stuck) return "never";
  if (callback?.beforeAck) return 0;
  const ordinary =
    result.delay === undefined
      ? plan.settleAfter
      : drawScripted(result.delay, draws, { directive, effect: "result", purpose: "result delay" });
  const held = directive.fired.find(({ effects }) => effects.result?.holdUntil !== undefined);
  return ordinary === "never" || held === undefined ? ordinary : Math.max(ordinary, heldFor(held, at));
}

function heldFor({ since, effects }: Fired, at: Instant): Millis {
  return since + (effects.result?.holdUntil ?? 0) - at;
}

function planCallback(callback: CallbackEffect, directive: Directive, draws: Draws): CallbackPlan {
  const sendings = callback.drop ? [] : planSendings(callback, directive, draws);
  const plan: Writable<CallbackPlan> = { beforeAck: callback.beforeAck ?? false, letPass: callback.reorder ?? 0, sendings };
  if (callback.drop) plan.dropped = droppedBy(directive);
  return plan;
}

function droppedBy({ fired }: Directive): string {
  const rule = fired.find(({ effects }) => effects.callback !== undefined);
  return `the rule "${rule?.rule}" of the scenario ${rule?.scenario} drops it`;
}

function planSendings(callback: CallbackEffect, directive: Directive, draws: Draws): Sending[] {
  const { times = 1, delay = NONE, gap = NONE, sendings } = callback;
  if (sendings !== undefined) return sendings.map((after, index) => ({ after, form: formOf(callback, index) }));
  const draw = (length: Delay, purpose: string): Millis => drawScripted(length, draws, { directive, effect: "callback", purpose });
  let after = draw(delay, "callback delay");
  return Array.from({ length: times }, (_, index) => {
    if (index > 0) after += draw(gap, `callback gap ${index}`);
    return { after, form: formOf(callback, index) };
  });
}

const NONE: Delay = { fixed: 0 };

function formOf({ contradict, unknownId, malformed, wrongContentType, slowDrip, disconnect }: CallbackEffect, index: number): CallbackForm {
  return {
    ...(contradict && index > 0 && { contradict: true }),
    ...(unknownId && { unknownId: true }),
    ...(malformed && { malformed: true }),
    ...(wrongContentType && { wrongContentType: true }),
    ...(disconnect ? { manner: "disconnect" } : slowDrip && { manner: "drip" }),
  };
}
