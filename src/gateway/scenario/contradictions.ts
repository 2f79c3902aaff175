import type * as z from "zod";
import { addProblem, type ValueProblem } from "../document/values.ts";
import { EFFECT_KEYS, EFFECTS, type Effects } from "./effects.ts";
import { isBeforeAccept } from "./effects/connection.ts";
import { PARTS } from "./effects/result.ts";
import { MATCHER_KEYS, MATCHERS, type When } from "./matchers.ts";
import { ORDERS } from "./matchers/operation.ts";

interface RuleParts {
  readonly when: When;
  readonly then: Effects;
}

/** Refuses rules whose effects exclude each other, or whose matchers never apply to their operations. */
export function checkContradictions({ when, then }: RuleParts, context: z.RefinementCtx): void {
  const complaints = [
    ...neverAccepted(then),
    ...neverSettled(then),
    ...misplacedMatchers(when),
    ...misplacedEffects({ when, then }),
  ];
  for (const complaint of complaints) addProblem(context, complaint);
}

function keepOne(path: string[], problem: string): ValueProblem {
  return { path, problem, repair: "keep one of the two" };
}

function removeIt(path: string[], problem: string): ValueProblem {
  return { path, problem, repair: "remove it, or change operation" };
}

function neverAccepted(then: Effects): ValueProblem[] {
  const { refuse, connection } = then;
  const pointless = EFFECT_KEYS.filter((key) => then[key] !== undefined && EFFECTS[key].needsAcceptance);
  const isCutBefore = connection !== undefined && isBeforeAccept(connection);
  if (refuse !== undefined) {
    const keys = connection === undefined || isCutBefore ? pointless : [...pointless, "connection"];
    return keys.map((key) => keepOne(["then", key], "has no effect together with refuse: nothing is accepted"));
  }
  if (!isCutBefore) return [];
  return pointless.map((key) => keepOne(["then", key], "has no effect if the connection ends before acceptance"));
}

function neverSettled({ result = {}, callback }: Effects): ValueProblem[] {
  if (callback === undefined) return [];
  if (result.stuck === true)
    return [keepOne(["then", "callback"], "has no effect together with result.stuck: no callback is ever sent")];
  if (callback.before_ack !== true || (result.delay === undefined && result.hold_until === undefined)) return [];
  const problem = "needs the result at acceptance, so the result cannot wait";
  return [keepOne(["then", "callback", "before_ack"], problem)];
}

function misplacedMatchers(when: When): ValueProblem[] {
  const { operation: operations = ORDERS, per = "account", of } = when;
  const named = operations.join(" and ");
  const found: ValueProblem[] = [];
  if (!(of?.operation ?? operations).some((name) => operations.includes(name)))
    found.push({
      path: ["when", "of", "operation"],
      problem: `never counts a request of this rule, which concerns ${named}: it can never fire`,
      repair: "name an operation of the rule, or change operation",
    });
  const misplaced = MATCHER_KEYS.filter((key) => {
    const having = MATCHERS[key].operations ?? operations;
    return when[key] !== undefined && !operations.some((operation) => having.includes(operation));
  });
  found.push(...misplaced.map((key) => removeIt(["when", key], `${named} has none`)));
  const countable = { account: operations, phone_number: ORDERS, sender_id: ["sms"] }[per];
  if (!operations.some((name) => countable.includes(name)))
    found.push({ path: ["when", "per"], problem: `${named} has no ${per} to count by`, repair: "write per: account" });
  return found;
}

function misplacedEffects({ when: { operation: operations = ORDERS }, then }: RuleParts): ValueProblem[] {
  if (operations.includes("sms")) return [];
  if (operations.some((operation) => ORDERS.includes(operation)))
    return PARTS.filter((key) => then.result?.[key] !== undefined).map((key) =>
      removeIt(["then", "result", key], "has no effect on airtime, which has no parts"),
    );
  const misplaced = EFFECT_KEYS.filter((key) => then[key] !== undefined && EFFECTS[key].needsOrder);
  return misplaced.map((key) => removeIt(["then", key], "has no effect on account-details, which queues nothing"));
}
