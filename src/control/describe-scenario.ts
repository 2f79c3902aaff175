import { stringify } from "yaml";
import { NO_ALIASES } from "../gateway/document/write-yaml.ts";
import { MASK } from "../gateway/http/exchanges.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import type { WrittenAction } from "../gateway/scenario/timeline-steps.ts";
import { counted } from "../gateway/domain/counted.ts";

interface DescribedRule {
  /** The requests it matches, in the syntax of its file; empty for all airtime and SMS. */
  readonly when: string;
  readonly effects: string;
}

interface DescribedParts {
  readonly rules: readonly DescribedRule[];
  /** What each step of the timeline changes: `carrier: { airtel: down }`. Without a secret, because lists are shown to others. */
  readonly actions: readonly string[];
}

const described = new WeakMap<Scenario, DescribedParts>();

/** Writes each rule and each step of a scenario on one line, once: every list of scenarios repeats them. */
export function describeScenarioParts(scenario: Scenario): DescribedParts {
  const known = described.get(scenario);
  if (known !== undefined) return known;
  const { rules = [], timeline = [] } = scenario;
  const written = {
    rules: rules.map(({ when, then }) => ({ when: writeOnOneLine(when), effects: writeOnOneLine(then) })),
    actions: timeline.map((step) => writeOnOneLine(withoutSecret(step.do))),
  };
  described.set(scenario, written);
  return written;
}

function withoutSecret(action: WrittenAction): object {
  return typeof action.credentials === "object" ? { credentials: { secret: MASK } } : action;
}

/** Writes a part of a scenario on one line, as in its file: `operation: sms, first: 2`. Empty if the part is. */
function writeOnOneLine(part: object = {}): string {
  return Object.keys(part).length === 0 ? "" : stringify(part, ON_ONE_LINE).trim().slice(1, -1).trim();
}

const ON_ONE_LINE = { collectionStyle: "flow", lineWidth: 0, ...NO_ALIASES } as const;

/** Describes a scenario on one line, as in `kredo list`: its description, otherwise the names of its rules. */
export function describeScenario({ description, rules = [], timeline = [] }: Scenario): string {
  const story = description?.replace(/\s+/g, " ").trim() ?? "";
  if (story !== "") return story;
  const steps = timeline.length === 0 ? [] : [`${counted(timeline.length, "step")} on its timeline`];
  return [...rules.map(({ name }) => name), ...steps].join("; ") || "changes nothing";
}
