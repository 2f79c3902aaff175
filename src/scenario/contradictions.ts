import type * as z from "zod";
import { complain, type Complaint } from "../document/values.ts";
import type { Effects, Rule, When } from "../domain/scenario.ts";
import { ORDERS } from "./matchers/request.ts";

/** Refuses a rule whose effects rule one another out, or whose matchers its operations cannot have. */
export function checkEffects(rule: Rule, context: z.RefinementCtx): void {
  for (const complaint of [...contradictionsIn(rule.then), ...misplacedMatchers(rule.when), ...misplacedEffects(rule)])
    complain(context, complaint);
}

const KEEP_ONE = "keep one of the two";

function contradictionsIn(then: Effects): Complaint[] {
  return [...neverAccepted(then), ...neverSettled(then)];
}

const AFTER_ACCEPTANCE = ["result", "callback", "ack"] as const;

function neverAccepted(then: Effects): Complaint[] {
  const { refuse, connection } = then;
  const pointless = AFTER_ACCEPTANCE.filter((key) => then[key] !== undefined);
  if (refuse !== undefined) {
    const isCutAfter = connection?.stage === "after_accept";
    const keys = isCutAfter ? [...pointless, "connection"] : pointless;
    return keys.map((key) => ({ path: ["then", key], problem: "has no meaning beside refuse: nothing is accepted", repair: KEEP_ONE }));
  }
  if (connection?.stage !== "before_accept") return [];
  const problem = "has no meaning when the connection ends before acceptance";
  return pointless.map((key) => ({ path: ["then", key], problem, repair: KEEP_ONE }));
}

function neverSettled({ result = {}, callback }: Effects): Complaint[] {
  if (callback === undefined) return [];
  const { stuck, delay, holdUntil } = result;
  if (stuck === true)
    return [{ path: ["then", "callback"], problem: "has no meaning beside result.stuck: no callback ever comes", repair: KEEP_ONE }];
  if (callback.beforeAck !== true || (delay === undefined && holdUntil === undefined)) return [];
  return [
    { path: ["then", "callback", "before_ack"], problem: "needs the result at acceptance, so the result cannot wait", repair: KEEP_ONE },
  ];
}

/** What only some operations have. */
const ONLY_FOR: readonly (readonly [key: keyof When, written: string, operations: readonly string[]])[] = [
  ["phoneNumber", "phone_number", ORDERS],
  ["carrier", "carrier", ORDERS],
  ["amount", "amount", ["airtime"]],
  ["message", "message", ["sms"]],
  ["senderId", "sender_id", ["sms"]],
  ["encoding", "encoding", ["sms"]],
  ["parts", "parts", ["sms"]],
];

function misplacedMatchers(when: When): Complaint[] {
  const operations = when.operation ?? ORDERS;
  const misplaced = ONLY_FOR.filter(
    ([key, , having]) => when[key] !== undefined && !operations.some((operation) => having.includes(operation)),
  );
  const { per = "account" } = when.count ?? {};
  const isUncounted =
    (per === "sender_id" && !operations.includes("sms")) || (per === "phone_number" && !operations.some((name) => ORDERS.includes(name)));
  return [
    ...misplaced.map(([, written]) => ({
      path: ["when", written],
      problem: `${operations.join(" and ")} has none`,
      repair: "remove it, or change operation",
    })),
    ...(isUncounted
      ? [{ path: ["when", "per"], problem: `${operations.join(" and ")} has no ${per} to count by`, repair: "write per: account" }]
      : []),
  ];
}

function misplacedEffects({ when, then }: Rule): Complaint[] {
  const operations = when.operation ?? ORDERS;
  if (operations.some((operation) => ORDERS.includes(operation))) return [];
  return (["result", "callback"] as const)
    .filter((key) => then[key] !== undefined)
    .map((key) => ({
      path: ["then", key],
      problem: "has no meaning for account-details, which queues nothing",
      repair: "remove it, or change operation",
    }));
}
