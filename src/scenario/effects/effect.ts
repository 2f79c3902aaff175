import type * as z from "zod";
import { type Delay, drawDelay } from "../../domain/delay.ts";
import type { Draws } from "../../domain/draws.ts";
import type { Order } from "../../domain/order.ts";
import type { Refused } from "../../domain/refusal.ts";
import type { Millis } from "../../domain/time.ts";
import type { AppliedRules } from "../applied-rules.ts";
import type { Plan, PlanContext } from "../plan.ts";

/** One effect: one key of a `then`, with everything the language knows about it and what it does. */
export interface Effect<Key extends string, Value> {
  /** As it is called in a file. */
  readonly key: Key;
  /** One sentence, for editors and the table of effects. */
  readonly summary: string;
  readonly schema: z.ZodType<Value>;
  /** It changes what happens after acceptance, so it has no meaning where nothing is accepted. */
  readonly needsAcceptance?: boolean;
  /** It changes an order, so it has no meaning for account-details. */
  readonly needsOrder?: boolean;
  /** Each scenario has its own, so a rule of another scenario does not stand in the way. */
  readonly isOfScenario?: boolean;
  /** As it stands in a file. */
  readonly print: (value: Value) => unknown;
  /** In words that follow a rule's name: `refused with 429`. */
  readonly describe: (value: Value) => string;
  /** Refuses the request: nothing is queued, no money moves, no callback follows. */
  readonly refuse?: (value: Value) => ScriptedRefusal;
  /** Changes how the request is answered. */
  readonly answer?: (value: Value, context: AnswerContext) => Partial<AppliedRules>;
  /** Changes what becomes of an accepted order. */
  readonly plan?: (plan: Plan, value: Value, context: OrderContext) => Plan;
}

/** A refusal by a rule. */
export interface ScriptedRefusal extends Pick<Refused, "code" | "details"> {
  /** The whole body, byte for byte, instead of the envelope. */
  readonly body?: string;
}

/** The rule that set an effect, and the request it is drawn for. */
export interface EffectContext {
  readonly by: { readonly scenario: string; readonly rule: string; readonly since: number };
  readonly draws: Draws;
}

export interface AnswerContext extends EffectContext {
  readonly outcome: RequestOutcome;
}

/** How a request that reached the rules was answered. */
export type RequestOutcome = "accepted" | "refused" | "cut";

export interface OrderContext extends PlanContext, EffectContext {
  readonly order: Order;
}

/** Draws a delay under the name of the rule that it is from. */
export function drawScripted(delay: Delay, purpose: string, { by: { scenario, rule }, draws }: EffectContext): Millis {
  return drawDelay(delay, draws, `${scenario}|${rule}|${purpose}`);
}
