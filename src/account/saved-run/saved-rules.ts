import type { AppliedRules } from "../../scenario/applied-rules.ts";
import type { Accepted, ConnectionCut, DetailsQueried, RequestRefused, Settled } from "../events.ts";
import { formatKes } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import type { CallbackPlan } from "../../scenario/plan.ts";
import { Refused } from "../../domain/refusal.ts";
import type { Effects } from "../../scenario/effects.ts";
import type { Rule } from "../../scenario/schema.ts";
import type { When } from "../../scenario/matchers.ts";
import type { Millis } from "../../domain/time.ts";

type CallbackEffect = NonNullable<Effects["callback"]>;
type RefuseEffect = NonNullable<Effects["refuse"]>;
type ResultEffect = NonNullable<Effects["result"]>;

/** A request that reached the rules, and how it ended. */
export type SavedRequest = SavedOrder | ConnectionCut | DetailsQueried | RequestRefused;

export interface SavedOrder {
  readonly kind: "accepted";
  readonly accepted: Accepted;
  readonly end?: SavedResult;
}

export interface SavedResult {
  readonly settled: Settled;
  /** The time from acceptance, if it was settled manually. */
  readonly byHandAfter?: Millis;
}

/**
 * Creates one rule per request. Each rule takes the first matching request that reaches it, so the next one with the same content goes on
 * to the next rule. Account-details requests get no rules if nothing was ever done to them.
 */
export function savedRules(saved: readonly SavedRequest[]): Rule[] {
  const written = saved.map((one, index) => ruleOf(one, index + 1));
  const concernsDetails = written.some(({ when, then }) => isAboutDetails(when) && Object.keys(then).length > 0);
  return concernsDetails ? written : written.filter(({ when }) => !isAboutDetails(when));
}

/** Returns whether a request got as far as the rules. */
export function reachedRules({ rules, code, order }: RequestRefused): boolean {
  return rules !== undefined || (code === 402 && order !== undefined);
}

function isAboutDetails({ operation = [] }: When): boolean {
  return operation.includes("account-details");
}

function ruleOf(saved: SavedRequest, number: number): Rule {
  const order = saved.kind === "accepted" ? saved.accepted.order : "order" in saved ? saved.order : undefined;
  return {
    name: `${number}. ${nameOf(order)}`,
    when: { ...contentOf(order), nth: 1 },
    then: effectsOf(saved),
    continue: false,
  };
}

function nameOf(order: Order | undefined): string {
  if (order === undefined) return "account-details";
  return order.operation === "airtime"
    ? `airtime of ${formatKes(order.amount)} to ${order.phoneNumber}`
    : `sms to ${order.phoneNumber}`;
}

function contentOf(order: Order | undefined): When {
  if (order === undefined) return { operation: ["account-details"] };
  const { operation } = order;
  const to = { operation: [operation], phone_number: [order.phoneNumber] };
  return order.operation === "airtime"
    ? { ...to, amount: { eq: order.amount } }
    : { ...to, sender_id: [order.senderId], message: { equals: order.message } };
}

function effectsOf(saved: SavedRequest): Effects {
  switch (saved.kind) {
    case "accepted":
      return acceptedEffects(saved);
    case "cut":
      return { connection: `${saved.breakage}_before_accept` };
    case "queried":
      return answerEffects(saved.rules);
    case "refused":
      return {
        refuse: refusal(saved),
        ...(saved.rules?.breakage && { connection: `${saved.rules.breakage}_before_accept` as const }),
      };
  }
}

function refusal({ code: status, description, validationErrors, answer, rules }: RequestRefused): RefuseEffect {
  const { delay = 0, headers, content_type: contentType } = rules?.ack ?? {};
  return {
    status,
    ...(answer === undefined ? sentences({ status, description, validationErrors }) : { body: answer }),
    ...(contentType !== undefined && { content_type: contentType }),
    ...(headers && { headers }),
    ...(delay > 0 && { delay: { fixed: delay } }),
  };
}

interface Sentences {
  readonly status: number;
  readonly description: string;
  readonly validationErrors: RequestRefused["validationErrors"] | undefined;
}

function sentences({
  status,
  description,
  validationErrors,
}: Sentences): Pick<RefuseEffect, "description" | "validation_errors"> {
  return {
    ...(description !== new Refused(status).message && { description }),
    ...(validationErrors && { validation_errors: validationErrors }),
  };
}

function acceptedEffects(saved: SavedOrder): Effects {
  const { accepted, end } = saved;
  const isStuck = end === undefined && accepted.plan.settleAfter === "never";
  const callback = isStuck ? undefined : callbackOf(saved);
  const result = isStuck ? ({ stuck: true, carrier: accepted.carrier } as const) : resultOf(saved, callback);
  return {
    ...answerEffects(accepted.rules),
    result,
    ...(callback && Object.keys(callback).length > 0 && { callback }),
  };
}

function answerEffects(rules: AppliedRules | undefined): Effects {
  const ack = rules?.ack && ackOf(rules.ack);
  return {
    ...(rules?.breakage && { connection: `${rules.breakage}_after_accept` as const }),
    ...(ack && { ack }),
  };
}

function ackOf({ delay, ...answered }: NonNullable<AppliedRules["ack"]>): NonNullable<Effects["ack"]> {
  return { delay: { fixed: delay }, ...answered };
}

function resultOf(
  { accepted: { plan, carrier }, end }: SavedOrder,
  callback: CallbackEffect | undefined,
): ResultEffect {
  const { settled, byHandAfter } = end ?? {};
  const { resultCode, resultDesc } = settled ?? plan.result;
  const delay = byHandAfter ?? (plan.settleAfter === "never" ? 0 : plan.settleAfter);
  return {
    result_code: resultCode,
    result_desc: resultDesc,
    ...(callback?.before_ack !== true && { delay: { fixed: delay } }),
    carrier,
    charge: byHandAfter === undefined ? plan.charge : (settled?.charge ?? plan.charge),
  };
}

/** A callback that was not sent, for whatever reason, is not sent in the replay either. */
function callbackOf({ accepted: { plan }, end }: SavedOrder): CallbackEffect | undefined {
  if ((end !== undefined && "none" in end.settled.callback) || plan.callback?.dropped !== undefined)
    return { drop: true };
  return plan.callback && sentAs(plan.callback, end?.byHandAfter !== undefined);
}

function sentAs({ sendings, before_ack: beforeAck, reorder }: CallbackPlan, isByHand: boolean): CallbackEffect {
  const isPlain = sendings.length === 1 && sendings[0]?.after === 0;
  return {
    ...(!isPlain && { sendings: sendings.map(({ after }) => after) }),
    ...(beforeAck && !isByHand && { before_ack: true }),
    ...(reorder > 0 && { reorder: reorder }),
    ...(sendings.some((sending) => sending.form.contradict) && { contradict: true }),
    ...sendings[0]?.form,
  };
}
