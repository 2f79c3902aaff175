import type { Directed } from "../account/directed.ts";
import type { Missed } from "../domain/directive.ts";
import type { Effects, Scenario } from "../domain/scenario.ts";
import { tellEffects } from "./effects.ts";

/** What effects do, in words: `acknowledged after 5s; callback never sent`. */
export function describeEffects(effects: Effects): string {
  return tellEffects(effects);
}

/** A scenario in one line, as `kredo list` has it: its description, else what its rules are called. */
export function describeScenario({ description, rules, timeline }: Scenario): string {
  const story = description?.replace(/\s+/g, " ").trim() ?? "";
  if (story !== "") return story;
  const steps = timeline.length === 0 ? [] : [`${timeline.length} ${timeline.length === 1 ? "step" : "steps"} on its timeline`];
  return [...rules.map(({ name }) => name), ...steps].join("; ") || "changes nothing";
}

/** The nearest rule that did not fire: `bad-afternoon/lost: amount is 50.00, not at least 100.00`. */
export function describeMissed({ scenario, rule, difference }: Missed): string {
  return `${scenario}/${rule}: ${difference}`;
}

/** The rules that fired, and the nearest that did not, as a header's value: what HTTP cannot carry as it is, is percent-encoded (RFC 8187 §3.2.1). */
export function ruleHeader({ fired, missed }: Pick<Directed, "fired" | "missed">): string | undefined {
  const told = [...fired.map(({ scenario, rule }) => `${scenario}/${rule}`), ...(missed ? [`not ${describeMissed(missed)}`] : [])];
  if (told.length === 0) return undefined;
  return told
    .join(" | ")
    .slice(0, LONGEST)
    .replace(/[^\x20-\x24\x26-\x7e]+/gu, encode);
}

/** Characters of a header that are sent: a client may take no longer ones than 16 KB, all of them together. */
const LONGEST = 500;

/** Half a surrogate pair has no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
