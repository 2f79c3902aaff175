import type { Path } from "../document/problem.ts";
import type { Comparison, Effects, Rule, Scenario, When } from "../domain/scenario.ts";
import { rangeOf } from "./matchers/comparison.ts";
import { COUNTERS, sayCounting, takes } from "./matchers/counting.ts";
import { printCents, sayComparison } from "./say-values.ts";

/** Something in a file that can have no effect, whatever happens. */
export interface Pointless {
  readonly path: Path;
  /** What an editor should point at, where that is not the path itself. */
  readonly stands?: Path;
  readonly problem: string;
  readonly repair: string;
}

/** Finds matchers that no request can meet, and effects that no client can see. */
export function findPointless({ rules }: Scenario): Pointless[] {
  return rules.flatMap((rule, index) => findInRule(rule).map(({ path, ...said }) => ({ path: ["rules", index, ...path], ...said })));
}

function findInRule({ when, then }: Rule): Pointless[] {
  return [...emptyRanges(when), ...emptyCounting(when), ...bothOperations(when), ...emptyMessage(when), ...unseenAck(then)];
}

function emptyRanges({ amount, balance, parts }: When): Pointless[] {
  return [
    ...emptyRange("amount", amount, printCents),
    ...emptyRange("balance", balance, printCents),
    ...emptyRange("parts", parts, String),
  ];
}

function emptyRange(key: "amount" | "balance" | "parts", comparison: Comparison | undefined, say: (number: number) => string): Pointless[] {
  if (comparison === undefined) return [];
  const { from, to } = rangeOf(comparison);
  if (from <= to) return [];
  return [
    {
      path: ["when", key],
      problem: `can never match: nothing is ${sayComparison(comparison, say)}`,
      repair: "write bounds that leave room",
    },
  ];
}

function emptyCounting({ count }: When): Pointless[] {
  if (count === undefined) return [];
  const { nth, every = 1, after = 0 } = count;
  if (takes(count, nth ?? (Math.floor(after / every) + 1) * every)) return [];
  const [, last = "nth"] = COUNTERS.filter((counter) => count[counter] !== undefined);
  return [{ path: ["when", last], problem: `can never match: no number is ${sayCounting(count)}`, repair: "keep one of them" }];
}

const OF_SMS = [
  ["message", "message"],
  ["senderId", "sender_id"],
  ["encoding", "encoding"],
  ["parts", "parts"],
] as const;

function bothOperations(when: When): Pointless[] {
  const ofSms = OF_SMS.find(([key]) => when[key] !== undefined);
  if (when.amount === undefined || ofSms === undefined) return [];
  const problem = `can never match: only airtime has an amount, and only an SMS ${ofSms[1]}`;
  return [{ path: ["when", "amount"], problem, repair: "write a rule for each of the two" }];
}

function emptyMessage({ message: { equals, contains = "" } = {} }: When): Pointless[] {
  if (equals === undefined || equals.includes(contains)) return [];
  const problem = "can never match: the whole text does not contain it";
  return [{ path: ["when", "message", "contains"], problem, repair: "keep equals or contains" }];
}

/** Breakages of which a client gets to see neither a status nor a body. */
const SILENT: readonly string[] = ["reset", "empty", "hang", "garbage"];

function unseenAck({ ack = {}, connection }: Effects): Pointless[] {
  const key = (["status", "body"] as const).find((part) => ack[part] !== undefined);
  if (key === undefined || connection === undefined || !SILENT.includes(connection.breakage)) return [];
  const problem = `is never seen: the connection is broken (${connection.breakage}) instead`;
  return [{ path: ["then", "ack", key], problem, repair: "keep one of the two" }];
}
