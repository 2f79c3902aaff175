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
  const { refuse, connection, result, callback } = then;
  const isCutAfter = connection?.stage === "after_accept";
  const accepted = (["result", "callback", "ack"] as const).filter((key) => then[key] !== undefined);
  const found: Complaint[] = [];
  if (refuse !== undefined) {
    for (const key of [...accepted, ...(isCutAfter ? (["connection"] as const) : [])])
      found.push({ path: ["then", key], problem: "has no meaning beside refuse: nothing is accepted", repair: KEEP_ONE });
  } else if (connection?.stage === "before_accept") {
    for (const key of accepted)
      found.push({ path: ["then", key], problem: "has no meaning when the connection ends before acceptance", repair: KEEP_ONE });
  }
  if (result?.stuck === true && callback !== undefined)
    found.push({ path: ["then", "callback"], problem: "has no meaning beside result.stuck: no callback ever comes", repair: KEEP_ONE });
  const waits = result?.delay !== undefined || result?.holdUntil !== undefined;
  if (callback?.beforeAck === true && waits)
    found.push({ path: ["then", "callback", "before_ack"], problem: "settles at acceptance, so the result cannot wait", repair: KEEP_ONE });
  return found;
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
