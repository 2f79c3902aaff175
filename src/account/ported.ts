import type { ActiveScenario } from "../scenario/active-scenario.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** The gateway as the numbers that scenarios have ported see it; of two scenarios the later one decides, as with all of a setup. */
export function portAsScripted(gateway: GatewaySettings, scenarios: readonly ActiveScenario[]): GatewaySettings {
  if (scenarios.length === 0) return gateway;
  const known = ported.get(scenarios);
  if (known !== undefined) return known;
  const made = overlay(gateway, scenarios);
  ported.set(scenarios, made);
  return made;
}

/** One account's list of scenarios is never another sandbox's, so the list alone is key enough. */
const ported = new WeakMap<readonly ActiveScenario[], GatewaySettings>();

function overlay(gateway: GatewaySettings, scenarios: readonly ActiveScenario[]): GatewaySettings {
  const overrides = scenarios.flatMap(({ scenario: { setup } }) => (setup.numbers?.ported === undefined ? [] : [setup.numbers.ported]));
  if (overrides.length === 0) return gateway;
  const { numbers: numbering } = gateway;
  return { ...gateway, numbers: { ...numbering, ported: Object.assign({}, numbering.ported, ...overrides) } };
}
