import type { AppliedRules } from "./applied-rules.ts";
import type { Missed } from "./rule-decision.ts";

/** The rules that fired, and the nearest that did not, as a header's value: what HTTP cannot carry as it is, is percent-encoded (RFC 8187 §3.2.1). */
export function ruleHeader({ fired, missed }: Pick<AppliedRules, "fired" | "missed">): string | undefined {
  const told = [...fired.map(({ scenario, rule }) => `${scenario}/${rule}`), ...(missed ? [`not ${describeMissed(missed)}`] : [])];
  if (told.length === 0) return undefined;
  return told
    .join(" | ")
    .slice(0, LONGEST)
    .replace(/[^\x20-\x24\x26-\x7e]+/gu, encode);
}

/** The nearest rule that did not fire: `bad-afternoon/lost: amount is 50.00, not at least 100.00`. */
export function describeMissed({ scenario, rule, difference }: Missed): string {
  return `${scenario}/${rule}: ${difference}`;
}

/** Characters of a header that are sent: a client may take no longer ones than 16 KB, all of them together. */
const LONGEST = 500;

/** Half a surrogate pair has no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
