import type { Comparison, Rule, Scenario, When } from "../domain/scenario.ts";
import { rangeOf } from "./matchers/comparison.ts";
import { compileGlobs } from "./matchers/globs.ts";
import { ORDERS } from "./matchers/request.ts";

export interface Shadowed {
  /** Its place among the rules. */
  readonly rule: number;
  /** The name of the rule that leaves nothing for it. */
  readonly by: string;
}

/** Finds rules that can never match, because an earlier one without `continue` always matches what they match. */
export function findShadowed(scenario: Scenario): Shadowed[] {
  const { rules } = scenario;
  const decisive = new Set(findDecisive(scenario));
  return rules.flatMap(({ when }, index) => {
    const earlier = rules.slice(0, index).find((rule) => decisive.has(rule) && covers(rule.when, when));
    return earlier === undefined ? [] : [{ rule: index, by: earlier.name }];
  });
}

/** The rules behind which no other is asked about what they match. */
export function findDecisive({ rules, timeline }: Pick<Scenario, "rules" | "timeline">): Rule[] {
  const switched = timeline.flatMap(({ do: action }) => (action.kind === "rule" ? [action.rule] : []));
  return rules.filter((rule) => !rule.continue && !switched.includes(rule.name) && isSteady(rule.when));
}

/** Whether it matches a request whatever came before, and without chance. */
function isSteady({ count, probability = 1 }: When): boolean {
  return count === undefined && probability >= 1;
}

/** Whether what one matches is a part of what the other does. */
export function covers(wide: When, narrow: When): boolean {
  const matchers = [
    includesAll(wide.operation ?? ORDERS, narrow.operation ?? ORDERS),
    coversGlobs(wide.phoneNumber, narrow.phoneNumber),
    includesAll(wide.carrier, narrow.carrier),
    includesAll(wide.senderId, narrow.senderId),
    isSame(wide.encoding, narrow.encoding),
    isSame(wide.in, narrow.in),
    coversRange(wide.amount, narrow.amount),
    coversRange(wide.balance, narrow.balance),
    coversRange(wide.parts, narrow.parts),
    coversMessage(wide.message, narrow.message),
    coversHeaders(wide.header, narrow.header),
    coversStretch(wide.during, narrow.during),
  ];
  return matchers.every(Boolean);
}

function isSame(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow;
}

function includesAll<Value>(wide: readonly Value[] | undefined, narrow: readonly Value[] | undefined): boolean {
  return wide === undefined || (narrow !== undefined && narrow.every((value) => wide.includes(value)));
}

/** A pattern that matches another one letter by letter, star by star, matches all that the other does. */
function coversGlobs(wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && narrow.every((pattern) => wide.some((wider) => compileGlobs([wider])(pattern)));
}

function coversRange(wide: Comparison | undefined, narrow: Comparison | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  const [outer, inner] = [rangeOf(wide), rangeOf(narrow)];
  return outer.from <= inner.from && outer.to >= inner.to;
}

function coversMessage(wide: When["message"], narrow: When["message"] = {}): boolean {
  if (wide === undefined) return true;
  const { equals, contains = "", regex } = wide;
  if (equals !== undefined && equals !== narrow.equals) return false;
  return (narrow.equals ?? narrow.contains ?? "").includes(contains) && (regex === undefined || regex === narrow.regex);
}

function coversHeaders(wide: When["header"] = {}, narrow: When["header"] = {}): boolean {
  return Object.entries(wide).every(([name, pattern]) => narrow[name] !== undefined && compileGlobs([pattern])(narrow[name]));
}

function coversStretch(wide: Rule["when"]["during"], narrow: Rule["when"]["during"]): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && wide.from <= narrow.from && (wide.to ?? Infinity) >= (narrow.to ?? Infinity);
}
