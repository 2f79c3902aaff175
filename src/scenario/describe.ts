import type { Fired, Missed } from "../domain/directive.ts";
import type { Effects, Rule, Scenario } from "../domain/scenario.ts";
import { tellEffects } from "./effects.ts";

/** What effects do, in words: `acknowledged after 5s; callback never sent`. */
export function describeEffects(effects: Effects): string {
  return tellEffects(effects);
}

/** A rule in one line: `two refusals, then it works: refused with 429`. */
export function describeRule({ name, then }: Rule): string {
  return `${name}: ${tellEffects(then)}`;
}

/** A scenario in one line, as `kredo list` has it: its description, else what its rules are called. */
export function describeScenario({ description, rules, timeline }: Scenario): string {
  const story = description?.replace(/\s+/g, " ").trim() ?? "";
  if (story !== "") return story;
  const steps = timeline.length === 0 ? [] : [`${timeline.length} ${timeline.length === 1 ? "step" : "steps"} on its timeline`];
  return [...rules.map(({ name }) => name), ...steps].join("; ") || "changes nothing";
}

/** The rules that fired and what each of them did, for the log. */
export function describeFired(fired: readonly Fired[]): string {
  return fired.map(({ scenario, rule, effects }) => `${scenario}/${rule}: ${tellEffects(effects)}`).join(" | ");
}

/** The nearest rule that did not fire: `bad-afternoon/lost: amount is 50.00, not at least 100.00`. */
export function describeMissed({ scenario, rule, difference }: Missed): string {
  return `${scenario}/${rule}: ${difference}`;
}

/** The rules that fired as a header's value: what HTTP cannot carry as it is, is percent-encoded (RFC 8187 §3.2.1). */
export function ruleHeader(fired: readonly Fired[]): string {
  return describeFired(fired).replace(/[^\x20-\x24\x26-\x7e]+/gu, encode);
}

/** Half a surrogate pair has no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
