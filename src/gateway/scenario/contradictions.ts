import type * as z from "zod";
import { complain, type ValueProblem } from "../document/values.ts";
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
  for (const complaint of complaints) complain(context, complaint);
}

const KEEP_ONE = "keep one of the two";

function neverAccepted(then: Effects): ValueProblem[] {
  const { refuse, connection } = then;
  const pointless = EFFECT_KEYS.filter((key) => then[key] !== undefined && EFFECTS[key].needsAcceptance);
  if (refuse !== undefined) {
    const isCutAfter = connection !== undefined && !isBeforeAccept(connection);
    const keys = isCutAfter ? [...pointless, "connection"] : pointless;
    return keys.map((key) => ({
      path: ["then", key],
      problem: "has no effect together with refuse: nothing is accepted",
      repair: KEEP_ONE,
    }));
  }
  if (connection === undefined || !isBeforeAccept(connection)) return [];
  const problem = "has no effect if the connection ends before acceptance";
  return pointless.map((key) => ({ path: ["then", key], problem, repair: KEEP_ONE }));
}

function neverSettled({ result = {}, callback }: Effects): ValueProblem[] {
  if (callback === undefined) return [];
  if (result.stuck === true)
    return [
      {
        path: ["then", "callback"],
        problem: "has no effect together with result.stuck: no callback is ever sent",
        repair: KEEP_ONE,
      },
    ];
  if (callback.before_ack !== true || (result.delay === undefined && result.hold_until === undefined)) return [];
  return [
    {
      path: ["then", "callback", "before_ack"],
      problem: "needs the result at acceptance, so the result cannot wait",
      repair: KEEP_ONE,
    },
  ];
}

function misplacedMatchers(when: When): ValueProblem[] {
  const operations = when.operation ?? ORDERS;
  const misplaced = MATCHER_KEYS.filter((key) => {
    const having = MATCHERS[key].operations;
    return (
      when[key] !== undefined && having !== undefined && !operations.some((operation) => having.includes(operation))
    );
  });
  const { per = "account" } = when;
  const isUncounted =
    (per === "sender_id" && !operations.includes("sms")) ||
    (per === "phone_number" && !operations.some((name) => ORDERS.includes(name)));
  const counted = when.of?.operation ?? operations;
  const neverCounts = !counted.some((name) => operations.includes(name));
  return [
    ...(neverCounts
      ? [
          {
            path: ["when", "of", "operation"],
            problem: `never counts a request of this rule, which concerns ${operations.join(" and ")}: it can never fire`,
            repair: "name an operation of the rule, or change operation",
          },
        ]
      : []),
    ...misplaced.map((key) => ({
      path: ["when", key],
      problem: `${operations.join(" and ")} has none`,
      repair: "remove it, or change operation",
    })),
    ...(isUncounted
      ? [
          {
            path: ["when", "per"],
            problem: `${operations.join(" and ")} has no ${per} to count by`,
            repair: "write per: account",
          },
        ]
      : []),
  ];
}

/** Returns a complaint about each key of a result that concerns the parts of an SMS. */
function ofSms({ result = {} }: Effects): ValueProblem[] {
  return PARTS.filter((key) => result[key] !== undefined).map((key) => ({
    path: ["then", "result", key],
    problem: "has no effect on airtime, which has no parts",
    repair: "remove it, or change operation",
  }));
}

function misplacedEffects({ when, then }: RuleParts): ValueProblem[] {
  const operations = when.operation ?? ORDERS;
  if (operations.some((operation) => ORDERS.includes(operation))) return operations.includes("sms") ? [] : ofSms(then);
  const misplaced = EFFECT_KEYS.filter((key) => then[key] !== undefined && EFFECTS[key].needsOrder);
  return misplaced.map((key) => ({
    path: ["then", key],
    problem: "has no effect on account-details, which queues nothing",
    repair: "remove it, or change operation",
  }));
}
