import type { Directed } from "../account/directed.ts";
import type { Missed } from "../domain/directive.ts";
import { stringify } from "yaml";
import type { Effects, Scenario, When } from "../domain/scenario.ts";
import { tellEffects } from "./effects.ts";
import { printWhen } from "./print-scenario.ts";

/** What effects do, in words: `acknowledged after 5s; callback never sent`. */
export function describeEffects(effects: Effects): string {
  return tellEffects(effects);
}

/** Which requests a rule is about, on one line and as it stands in a file: `operation: sms, first: 2`; empty for all of them. */
export function describeWhen(when: When): string {
  const printed = printWhen(when);
  return Object.keys(printed).length === 0 ? "" : stringify(printed, ON_ONE_LINE).trim().slice(1, -1).trim();
}

const ON_ONE_LINE = { collectionStyle: "flow", lineWidth: 0 } as const;

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
