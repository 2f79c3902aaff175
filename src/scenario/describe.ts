import { stringify } from "yaml";
import { printWhen, type When } from "./matchers.ts";
import type { Scenario } from "./schema.ts";

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
