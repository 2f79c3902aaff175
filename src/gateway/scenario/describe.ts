import { stringify } from "yaml";
import type { Scenario } from "./schema.ts";

/** Describes which requests a rule matches on one line, as written: `operation: sms, first: 2`. Empty if it matches all of them. */
export function describeWhen(when: object = {}): string {
  return Object.keys(when).length === 0 ? "" : stringify(when, ON_ONE_LINE).trim().slice(1, -1).trim();
}

const ON_ONE_LINE = { collectionStyle: "flow", lineWidth: 0 } as const;

/** Describes a scenario on one line, as in `kredo list`: its description, otherwise the names of its rules. */
export function describeScenario({ description, rules = [], timeline = [] }: Scenario): string {
  const story = description?.replace(/\s+/g, " ").trim() ?? "";
  if (story !== "") return story;
  const steps =
    timeline.length === 0 ? [] : [`${timeline.length} ${timeline.length === 1 ? "step" : "steps"} on its timeline`];
  return [...rules.map(({ name }) => name), ...steps].join("; ") || "changes nothing";
}
