import { stringify } from "yaml";
import type { Scenario } from "../gateway/scenario/schema.ts";

/** Writes a part of a rule on one line, as in its file: `operation: sms, first: 2`. Empty if the part is. */
export function writeOnOneLine(part: object = {}): string {
  return Object.keys(part).length === 0 ? "" : stringify(part, ON_ONE_LINE).trim().slice(1, -1).trim();
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
