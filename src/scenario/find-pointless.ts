import type { Path } from "../document/problem.ts";
import type { ValueProblem } from "../document/values.ts";
import type { Effects } from "./effects.ts";
import { breakageOf } from "./effects/connection.ts";
import { MATCHER_KEYS, type MatcherKey, MATCHERS, type MatcherValue, type When } from "./matchers.ts";
import { findEmptyCounting } from "./matchers/counting.ts";
import type { Rule, Scenario } from "./schema.ts";

/** Something in a file that can never have any effect. */
export interface IneffectiveSetting {
  readonly path: Path;
  /** What an editor should point at, if not the path itself. */
  readonly stands?: Path;
  readonly problem: string;
  readonly repair: string;
}

/** Finds matchers that no request can satisfy, and effects that no client can see. */
export function findPointless({ rules }: Scenario): IneffectiveSetting[] {
  return rules.flatMap((rule, index) =>
    findInRule(rule).map(({ path, ...said }) => ({ path: ["rules", index, ...path], ...said })),
  );
}

function findInRule({ when, then }: Rule): IneffectiveSetting[] {
  return [
    ...MATCHER_KEYS.flatMap((key) => pointlessMatcher(key, when[key])),
    ...pointlessWhen(when),
    ...unseenAck(then),
  ];
}

function pointlessMatcher<Key extends MatcherKey>(
  key: Key,
  value: MatcherValue<Key> | undefined,
): IneffectiveSetting[] {
  const found = value === undefined ? undefined : MATCHERS[key].findPointless?.(value);
  return found === undefined ? [] : [within(["when", key], found)];
}

function pointlessWhen(when: When): IneffectiveSetting[] {
  const counting = findEmptyCounting(when);
  return [...(counting === undefined ? [] : [within(["when"], counting)]), ...bothOperations(when)];
}

function within(place: Path, { path = [], ...said }: ValueProblem): IneffectiveSetting {
  return { path: [...place, ...path], ...said };
}

function bothOperations(when: When): IneffectiveSetting[] {
  const ofSms = MATCHER_KEYS.find((key) => when[key] !== undefined && MATCHERS[key].operations?.join() === "sms");
  if (when.amount === undefined || ofSms === undefined) return [];
  const problem = `can never match: only airtime has an amount, and only an SMS ${ofSms}`;
  return [{ path: ["when", "amount"], problem, repair: "write a rule for each of the two" }];
}

/** Breakages in which a client sees neither a status nor a body. */
const SILENT: readonly string[] = ["reset", "empty", "hang", "garbage"];

function unseenAck({ ack = {}, connection }: Effects): IneffectiveSetting[] {
  const key = (["status", "body"] as const).find((part) => ack[part] !== undefined);
  if (key === undefined || connection === undefined || !SILENT.includes(breakageOf(connection))) return [];
  const problem = `is never seen: the connection is broken (${breakageOf(connection)}) instead`;
  return [{ path: ["then", "ack", key], problem, repair: "keep one of the two" }];
}
