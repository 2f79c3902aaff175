import type { Directed } from "../../account/directed.ts";
import type { Accepted, ConnectionCut, DetailsQueried, RequestRefused, Settled } from "../../account/events.ts";
import { formatKes } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import type { CallbackForm, CallbackPlan } from "../../domain/plan.ts";
import { Refused } from "../../domain/refusal.ts";
import type { AckEffect, CallbackEffect, Effects, RefuseEffect, ResultEffect, Rule, When } from "../../domain/scenario.ts";
import type { Millis } from "../../domain/time.ts";

/** A request that reached the rules, and how it ended. */
export type Told = ToldOrder | ConnectionCut | DetailsQueried | RequestRefused;

export interface ToldOrder {
  readonly kind: "accepted";
  readonly accepted: Accepted;
  readonly end?: Ending;
}

export interface Ending {
  readonly settled: Settled;
  /** From acceptance, where it was settled by hand. */
  readonly byHandAfter?: Millis;
}

/**
 * One rule for each request, which takes the first that reaches it: the next one of the same content goes on to the next
 * rule. Account-details is left alone where nothing was ever done to it.
 */
export function savedRules(told: readonly Told[]): Rule[] {
  const written = told.map((one, index) => ruleOf(one, index + 1));
  const concernsDetails = written.some(({ when, then }) => isAboutDetails(when) && Object.keys(then).length > 0);
  return concernsDetails ? written : written.filter(({ when }) => !isAboutDetails(when));
}

/** Whether a request got as far as the rules. */
export function reachedRules({ directed, code, order }: RequestRefused): boolean {
  return directed !== undefined || (code === 402 && order !== undefined);
}

function isAboutDetails({ operation = [] }: When): boolean {
  return operation.includes("account-details");
}

function ruleOf(told: Told, number: number): Rule {
  const order = told.kind === "accepted" ? told.accepted.order : "order" in told ? told.order : undefined;
  return {
    name: `${number}. ${nameOf(order)}`,
    when: { ...contentOf(order), count: { per: "account", nth: 1 } },
    then: effectsOf(told),
    continue: false,
  };
}

function nameOf(order: Order | undefined): string {
  if (order === undefined) return "account-details";
  return order.operation === "airtime" ? `airtime of ${formatKes(order.amount)} to ${order.phoneNumber}` : `sms to ${order.phoneNumber}`;
}

function contentOf(order: Order | undefined): When {
  if (order === undefined) return { operation: ["account-details"] };
  const { operation } = order;
  const to = { operation: [operation], phoneNumber: [order.phoneNumber] };
  return order.operation === "airtime"
    ? { ...to, amount: { eq: order.amount } }
    : { ...to, senderId: [order.senderId], message: { equals: order.message } };
}

function effectsOf(told: Told): Effects {
  switch (told.kind) {
    case "accepted":
      return acceptedEffects(told);
    case "cut":
      return { connection: { breakage: told.breakage, stage: "before_accept" } };
    case "queried":
      return answerEffects(told.directed);
    case "refused":
      return { refuse: refusal(told) };
  }
}

function refusal({ code, description, validationErrors, answer }: RequestRefused): RefuseEffect {
  if (answer !== undefined) return { code, body: answer };
  return { code, ...(description !== new Refused(code).message && { description }), ...(validationErrors && { validationErrors }) };
}

function acceptedEffects(told: ToldOrder): Effects {
  const { accepted, end } = told;
  const isStuck = end === undefined && accepted.plan.settleAfter === "never";
  const callback = isStuck ? undefined : callbackOf(told);
  const result = isStuck ? ({ stuck: true, carrier: accepted.carrier } as const) : resultOf(told, callback);
  return { ...answerEffects(accepted.directed), result, ...(callback && Object.keys(callback).length > 0 && { callback }) };
}

function answerEffects(directed: Directed | undefined): Effects {
  const ack = directed?.ack && ackOf(directed.ack);
  return {
    ...(directed?.breakage && { connection: { breakage: directed.breakage, stage: "after_accept" as const } }),
    ...(ack && { ack }),
  };
}

function ackOf({ delay, status, body }: NonNullable<Directed["ack"]>): AckEffect {
  return { delay: { fixed: delay }, ...(status !== undefined && { status }), ...(body !== undefined && { body }) };
}

function resultOf({ accepted: { plan, carrier }, end }: ToldOrder, callback: CallbackEffect | undefined): ResultEffect {
  const { settled, byHandAfter } = end ?? {};
  const { resultCode, resultDesc } = settled ?? plan.result;
  const delay = byHandAfter ?? (plan.settleAfter === "never" ? 0 : plan.settleAfter);
  return {
    resultCode,
    resultDesc,
    ...(callback?.beforeAck !== true && { delay: { fixed: delay } }),
    carrier,
    charge: byHandAfter === undefined ? plan.charge : (settled?.charge ?? plan.charge),
  };
}

/** A callback that was not sent, for whatever reason, is not sent again. */
function callbackOf({ accepted: { plan }, end }: ToldOrder): CallbackEffect | undefined {
  if ((end !== undefined && "none" in end.settled.callback) || plan.callback?.dropped !== undefined) return { drop: true };
  return plan.callback && sentAs(plan.callback, end?.byHandAfter !== undefined);
}

function sentAs({ sendings, beforeAck, letPass }: CallbackPlan, isByHand: boolean): CallbackEffect {
  const isPlain = sendings.length === 1 && sendings[0]?.after === 0;
  return {
    ...(!isPlain && { sendings: sendings.map(({ after }) => after) }),
    ...(beforeAck && !isByHand && { beforeAck }),
    ...(letPass > 0 && { reorder: letPass }),
    ...(sendings.some((sending) => sending.form.contradict) && { contradict: true }),
    ...(sendings[0] && formAs(sendings[0].form)),
  };
}

function formAs(form: CallbackForm): CallbackEffect {
  return {
    ...(form.unknownId && { unknownId: true }),
    ...(form.malformed && { malformed: true }),
    ...(form.wrongContentType && { wrongContentType: true }),
    ...(form.manner === "drip" && { slowDrip: true }),
    ...(form.manner === "disconnect" && { disconnect: true }),
  };
}
