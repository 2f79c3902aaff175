import type * as z from "zod";
import { addProblem } from "../../document/values.ts";
import { type Delay, drawDelay, type Draws } from "../../domain/draws.ts";
import type { Order, ResultCodes } from "../../domain/order.ts";
import { hasContent, type Refused } from "../../domain/refusal.ts";
import type { Instant, Millis } from "../../domain/time.ts";
import type { AppliedRules } from "./applied-rules.ts";
import type { Route } from "../../domain/carrier.ts";
import type { Kes } from "../../domain/kes.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import type { Plan } from "./plan.ts";

/** One effect: a key of `then` with its schema, its description and its behaviour. */
export interface Effect<Key extends string, Value> {
  /** Its key in a file. */
  readonly key: Key;
  /** One sentence, for editors and the table of effects. */
  readonly summary: string;
  readonly schema: z.ZodType<Value>;
  /** Whether it only affects what happens after acceptance, so that it is pointless if nothing is accepted. */
  readonly needsAcceptance?: boolean;
  /** Whether it only affects orders, so that it is pointless for account-details. */
  readonly needsOrder?: boolean;
  /** Refuses the request: nothing is queued, no money moves, no callback follows. */
  readonly refuse?: (value: Value) => ScriptedRefusal;
  /** Changes the response to the request. */
  readonly answer?: (value: Value, context: AnswerContext) => Partial<AppliedRules>;
  /** Changes what happens to an accepted order. */
  readonly plan?: (plan: Plan, value: Value, context: OrderContext) => Plan;
}

/** A refusal by a rule. */
export interface ScriptedRefusal extends Pick<Refused, "code" | "details"> {
  /** The raw body to send instead of the envelope. */
  readonly body?: string;
}

/** Refuses the first of these keys that is written, because another one leaves it without effect. */
export function refuseTogether(
  written: object,
  keys: readonly string[],
  problem: string,
  context: z.RefinementCtx,
): void {
  const beside = Object.keys(written).find((key) => keys.includes(key));
  if (beside !== undefined) addProblem(context, { path: [beside], problem, repair: "keep one of the two" });
}

const CONTENT = ["body", "content_type", "description", "validation_errors"];

/** Refuses a body and its type for a status that has none. */
export function refuseContent(written: { readonly status?: number }, context: z.RefinementCtx): void {
  const { status = 200 } = written;
  if (!hasContent(status)) refuseTogether(written, CONTENT, `is never sent: ${status} has no body`, context);
}

/** The rule that set an effect, and the draws of the request. */
export interface EffectContext {
  readonly by: { readonly scenario: string; readonly rule: string; readonly since: number };
  readonly draws: Draws;
}

export interface AnswerContext extends EffectContext {
  readonly outcome: RequestOutcome;
}

/** How a request that reached the rules was answered. */
export type RequestOutcome = "accepted" | "refused" | "cut";

export interface PlanContext {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly route: Route;
  readonly draws: Draws;
  /** The amount held for it. */
  readonly hold: Kes;
  readonly outcome: keyof ResultCodes;
}

export interface OrderContext extends PlanContext, EffectContext {
  readonly order: Order;
}

/** Draws a delay under the name of its rule. */
export function drawScripted(delay: Delay, purpose: string, { by: { scenario, rule }, draws }: EffectContext): Millis {
  return "fixed" in delay ? delay.fixed : drawDelay(delay, draws, `${scenario}|${rule}|${purpose}`);
}
