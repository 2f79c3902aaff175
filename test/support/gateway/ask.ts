import type { RunningScenario } from "../../../src/gateway/scenario/running-scenario.ts";
import type { RuleRequest, Subject } from "../../../src/gateway/scenario/matchers/rule-request.ts";
import { parseKes } from "../../../src/gateway/domain/kes.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { phone } from "./world.ts";

/** When every request of these tests comes, and when every scenario began. */
export const NOW = 1_000_000;

/** Reads a scenario that has to be right. */
export function scenarioOf(text: string): Scenario {
  const parsed = parseScenario(text, "s.yaml");
  if ("problems" in parsed) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.scenario;
}

/** A scenario of rules, each a line of YAML. */
export function scenarioWith(...rules: readonly string[]): Scenario {
  return scenarioOf(`version: 1\nname: s\nrules:\n${rules.map((rule) => `  - { ${rule} }\n`).join("")}`);
}

export function running(scenario: Scenario, changes: Partial<RunningScenario> = {}): RunningScenario {
  return { scenario, since: NOW, start: 0, off: [], overlay: {}, ...changes };
}

export function shillings(text: string): RuleRequest["available"] {
  const amount = parseKes(text);
  if (amount === undefined) throw new Error(`${text} is no amount`);
  return amount;
}

interface Airtime {
  readonly to?: string;
  readonly amount?: string;
  readonly carrier?: Subject["carrier"];
}

export function airtime({ to = "254712345678", amount = "50", carrier = "safaricom" }: Airtime = {}): Subject {
  return {
    operation: "airtime",
    carrier,
    order: { operation: "airtime", phoneNumber: phone(to), amount: shillings(amount) },
  };
}

interface Sms {
  readonly to?: string;
  readonly message?: string;
  readonly from?: string;
}

export function sms({ to = "254712345678", message = "Habari", from = "SANDBOX" }: Sms = {}): Subject {
  return {
    operation: "sms",
    carrier: "safaricom",
    order: { operation: "sms", phoneNumber: phone(to), message, senderId: from },
  };
}

/** A request whose draws are all one half and whose counters have not begun. */
export function asking(subject: RuleRequest["subject"], changes: Partial<RuleRequest> = {}): RuleRequest {
  return {
    at: NOW,
    subject,
    available: shillings("1000"),
    draws: { uuid: () => "00000000-0000-4000-8000-000000000000", draw: () => 0.5 },
    counted: () => 0,
    ...changes,
  };
}
