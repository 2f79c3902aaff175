import type { ActiveScenario } from "../../../scenario/active-scenario.ts";

/** A number that a rule of an active scenario waits for. */
interface QuickPick {
  readonly phoneNumber: string;
  readonly scenario: string;
  /** What happens to whoever sends there, in the rule's own words. */
  readonly does: string;
  readonly isOn: boolean;
}

/** The numbers that active scenarios name in full, one for each rule. */
export function listPicks(scenarios: readonly ActiveScenario[]): QuickPick[] {
  return scenarios.flatMap(({ scenario, off }) =>
    scenario.rules.flatMap(({ name, when }) => {
      const [phoneNumber] = when.phone_number ?? [];
      if (phoneNumber === undefined || !/^\d+$/.test(phoneNumber)) return [];
      return [{ phoneNumber, scenario: scenario.name, does: withoutNumber(name, phoneNumber), isOn: !off.includes(name) }];
    }),
  );
}

/** The shipped rules begin with the last digits of their number, which stands beside them here. */
function withoutNumber(name: string, phoneNumber: string): string {
  const [, digits = "", rest = ""] = /^(\d+): (.*)$/s.exec(name) ?? [];
  return digits !== "" && phoneNumber.endsWith(digits) ? rest : name;
}
